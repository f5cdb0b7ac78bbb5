package io.rmigate.gateway.container.externals;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.container.WorkDirectory;
import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.InsideHosts;
import io.rmigate.gateway.testing.LeftoverCheck;
import io.rmigate.gateway.testing.OpenGateway;
import io.rmigate.gateway.testing.SourceJar;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Consecutive calls of a client run in the same thread of the server, as without a gateway, though
 * an argument or a result is an Externalizable of the application: the gateway knows where it ends,
 * from the jar alone.
 */
@ExtendWith(LeftoverCheck.class)
class SameServerThreadIT {
  private static final Duration SOON = Duration.ofSeconds(60);

  private static final String ENGINE =
      """
      package engine;
      import java.io.*;
      import java.rmi.*;
      import java.util.*;
      public interface Engine extends Remote {
        void begin(Object plan) throws RemoteException;
        boolean isSameThread() throws RemoteException;
        Tag tag(Plan plan) throws RemoteException;

        class Tag implements Externalizable {
          private static final long serialVersionUID = 1;
          private int number = 7;
          public void writeExternal(ObjectOutput out) throws IOException { out.writeInt(number); }
          public void readExternal(ObjectInput in) throws IOException { number = in.readInt(); }
          public String toString() { return "tag " + number; }
        }
        class Plan extends Tag {
          private static final long serialVersionUID = 1;
          private final List<Object> steps = new ArrayList<>(List.of("open", new Tag(), 3));
          public void writeExternal(ObjectOutput out) throws IOException {
            super.writeExternal(out);
            out.writeShort(steps.size());
            for (Object step : steps) out.writeObject(step);
            out.writeUTF("end");
          }
          public void readExternal(ObjectInput in) throws IOException {
            super.readExternal(in);
            steps.clear();
            int left = in.readShort();
            try {
              while (left-- > 0) steps.add(in.readObject());
            } catch (ClassNotFoundException absent) {
              throw new InvalidObjectException("absent");
            }
            steps.add(in.readUTF());
          }
          public String toString() { return "plan " + steps; }
        }
      }
      """;

  private static final String MAIN =
      """
      package engine;
      import java.rmi.registry.*;
      import java.rmi.server.UnicastRemoteObject;
      import java.util.*;
      public class Main implements Engine {
        static final Main ENGINE = new Main();
        private Thread thread;
        private Object plan;
        public void begin(Object its) { thread = Thread.currentThread(); plan = its; }
        public boolean isSameThread() { return thread == Thread.currentThread(); }
        public Tag tag(Plan plan) { return new Plan(); }

        public static void main(String[] a) throws Exception {
          if (a[0].equals("server")) {
            Registry r = LocateRegistry.createRegistry(0);
            r.bind("engine", UnicastRemoteObject.exportObject(ENGINE, 0));
            String ref = r.toString();
            System.out.println(
                "engine ready " + ref.replaceAll("(?s).*endpoint:\\\\[[^:]*:(\\\\d+)].*", "$1"));
            Thread.sleep(Long.MAX_VALUE);
          }
          Engine e = (Engine) LocateRegistry.getRegistry(a[1], Integer.parseInt(a[2])).lookup("engine");
          for (Object o : new Object[] {"text", new Tag(), new Plan(), List.of(new Tag(), new Plan())}) {
            int same = 0;
            for (int i = 0; i < 20; i++) {
              e.begin(o);
              if (e.isSameThread()) same++;
            }
            System.out.println(o + " -> " + same);
          }
          System.out.println("result -> " + e.tag(new Plan()));
          System.out.println("over");
          System.exit(0);
        }
      }
      """;

  private Path directory;
  private Path program;
  private InsideHosts hosts;
  private String port;

  private List<String> client(String name, String... options) throws Exception {
    try (ChildJvm client =
        ChildJvm.named(name, directory)
            .jvmOptions(options)
            .classPath(program)
            .main("engine.Main")
            .arguments("client", InsideHosts.INSIDE, port)
            .start()) {
      client.awaitLine(Pattern.compile("^over$"), SOON);
      return client.output().stream().filter(line -> line.contains(" -> ")).toList();
    }
  }

  @Test
  void callsWithExternalizablesReachTheSameThreadOfTheServer() throws Exception {
    directory = WorkDirectory.empty(BuiltArtefacts.workDirectory(getClass()));
    hosts = InsideHosts.ofAllTests();
    SourceJar compiled = new SourceJar(Map.of("engine.Engine", ENGINE, "engine.Main", MAIN));
    program = compiled.write(directory.resolve("program.jar"), file -> true);
    Path jars = Files.createDirectories(directory.resolve("jars"));
    compiled.write(jars.resolve("engine.jar"), file -> file.startsWith("engine/Engine"));
    try (ChildJvm server =
        ChildJvm.named("engine", directory)
            .jvmOptions(hosts.insideOption())
            .property("java.rmi.server.hostname", InsideHosts.INSIDE)
            .classPath(program)
            .main("engine.Main")
            .arguments("server")
            .start()) {
      port = server.awaitLine(Pattern.compile("^engine ready (\\d+)$"), SOON).group(1);
      List<String> direct = client("direct", hosts.insideOption());
      assertThat(direct)
          .containsExactly(
              "text -> 20",
              "tag 7 -> 20",
              "plan [open, tag 7, 3] -> 20",
              "[tag 7, plan [open, tag 7, 3]] -> 20",
              "result -> plan [open, tag 7, 3, end]");
      String settings = "classes:\n  interfaces: '" + jars + "'";
      String targets = OpenGateway.onlyTargets(InsideHosts.INSIDE + ":*");
      try (OpenGateway gateway =
          OpenGateway.start(directory.resolve("gateway"), hosts, targets, settings)) {
        assertThat(through("through", gateway)).isEqualTo(direct);
        assertThat(gateway.refusals().values().stream().mapToLong(count -> count).sum()).isZero();
        long before = reloads(gateway);
        gateway.reconfigure(targets + "\n    opaque: ['engine.Engine$Tag']", settings);
        io.rmigate.testing.Patience.await().until(() -> reloads(gateway) > before);
        assertThat(through("listed", gateway)).isEqualTo(direct);
      }
    }
  }

  private static long reloads(OpenGateway gateway) {
    return gateway.jvm().output().stream()
        .filter(line -> line.contains("configuration reloaded"))
        .count();
  }

  private List<String> through(String name, OpenGateway gateway) throws Exception {
    String agent = "-javaagent:" + BuiltArtefacts.javaagent() + "=" + gateway.uri();
    return client(name, hosts.outsideOption(), agent + ",tunnel=*:*,stats=off");
  }
}
