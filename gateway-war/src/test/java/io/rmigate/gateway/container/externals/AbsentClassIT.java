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
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A receiver that lacks the class of an Externalizable takes none of its data and reads them as
 * what comes next: as another call, or as an object of any class. The gateway has the class from a
 * jar, as it does where its jars are those of several servers.
 */
@ExtendWith(LeftoverCheck.class)
class AbsentClassIT {
  private static final Duration SOON = Duration.ofSeconds(60);

  private static final String DESK =
      """
      package desk;
      import java.rmi.*;
      import java.util.*;
      public interface Desk extends Remote {
        void take(Object spell) throws RemoteException;
        void takeAll(List<Spell> spells) throws RemoteException;
        List<Answer> give(byte[] first) throws RemoteException;
        boolean isBound() throws RemoteException;
      }
      """;

  private static final String SPELL =
      """
      package desk;
      import java.io.*;
      import java.util.*;
      public class NAME implements Externalizable {
        private static final long serialVersionUID = 1;
        private byte[] bytes = new byte[96];
        public NAME() {}
        NAME(byte[] first) { bytes = Arrays.copyOf(first, 96); }
        public void writeExternal(ObjectOutput out) throws IOException { out.write(bytes); }
        public void readExternal(ObjectInput in) throws IOException {
          byte[] read = new byte[96];
          in.readFully(read);
          bytes = read;
        }
      }
      """;

  private static final String TRAP =
      """
      package desk;
      import java.io.*;
      public class Trap implements Serializable {
        private static final long serialVersionUID = 1;
        private void readObject(ObjectInputStream in) { System.out.println("trap sprung"); }
      }
      """;

  private static final String SERVER =
      """
      package desk;
      import java.rmi.*;
      import java.rmi.registry.*;
      import java.rmi.server.UnicastRemoteObject;
      import java.util.*;
      public class Server implements Desk {
        static final Server DESK = new Server();
        static Registry registry;
        static Remote stub;
        public void take(Object spell) {}
        public void takeAll(List<Spell> spells) {}
        public List<Answer> give(byte[] first) {
          return new ArrayList<>(List.of(new Answer(first)));
        }
        public boolean isBound() throws RemoteException {
          boolean bound = List.of(registry.list()).contains("desk");
          registry.rebind("desk", stub);
          return bound;
        }

        public static void main(String[] a) throws Exception {
          registry = LocateRegistry.createRegistry(0);
          stub = UnicastRemoteObject.exportObject(DESK, 0);
          registry.rebind("desk", stub);
          System.out.println("desk ready "
              + registry.toString().replaceAll("(?s).*endpoint:\\\\[[^:]*:(\\\\d+)].*", "$1"));
          Thread.sleep(Long.MAX_VALUE);
        }
      }
      """;

  private static final String CLIENT =
      """
      package desk;
      import java.io.*;
      import java.rmi.registry.*;
      import java.util.*;
      public class Client {
        interface Attack { void run() throws Exception; }
        static Desk desk;

        static byte[] unbind(int before) throws IOException {
          ByteArrayOutputStream bytes = new ByteArrayOutputStream();
          DataOutputStream out = new DataOutputStream(bytes);
          out.write(new byte[before]);
          out.write(HexFormat.of().parseHex("50aced00057722" + "00".repeat(22) + "00000004"));
          out.writeLong(0x44154dc9d4e63bdfL);
          out.writeByte(0x74);
          out.writeUTF("desk");
          return bytes.toByteArray();
        }

        static byte[] trap() throws IOException {
          ByteArrayOutputStream bytes = new ByteArrayOutputStream();
          DataOutputStream out = new DataOutputStream(bytes);
          out.writeShort(0x7372);
          out.writeUTF("desk.Trap");
          out.write(HexFormat.of().parseHex("0000000000000001" + "02" + "0000" + "7078" + "70"));
          return bytes.toByteArray();
        }

        static void attack(String name, int checks, Attack attack) throws Exception {
          try {
            attack.run();
            System.out.println(name + " -> passed");
          } catch (Exception e) {
            Throwable cause = e;
            while (cause.getCause() != null) cause = cause.getCause();
            String text = String.valueOf(cause.getMessage());
            boolean refused = text.startsWith("rmigate:");
            System.out.println(
                name + " -> " + (refused ? "refused" : cause.getClass().getSimpleName()));
          }
          boolean bound = true;
          for (int i = 0; i < checks && bound; i++) bound = desk.isBound();
          System.out.println(name + " bound -> " + bound);
        }

        public static void main(String[] a) throws Exception {
          int checks = Integer.parseInt(a[2]);
          desk = (Desk) LocateRegistry.getRegistry(a[0], Integer.parseInt(a[1])).lookup("desk");
          attack("plain", 1, () -> desk.takeAll(new ArrayList<>(List.of(new Spell()))));
          attack("call as argument", checks, () -> desk.take(new Spell(unbind(0))));
          attack("call in a list", checks,
              () -> desk.takeAll(new ArrayList<>(List.of(new Spell(unbind(1))))));
          attack("object in a list", 1,
              () -> desk.takeAll(new ArrayList<>(List.of(new Spell(trap())))));
          attack("plain reply", 1, () -> desk.give(new byte[1]));
          attack("object in a reply", 1, () -> desk.give(trap()));
          System.out.println("over");
          System.exit(0);
        }
      }
      """;

  private Path directory;
  private InsideHosts hosts;
  private Path clientJar;
  private String port;

  /** What the client prints about its attacks. */
  private List<String> client(String name, int checks, String... options) throws Exception {
    try (ChildJvm client =
        ChildJvm.named(name, directory)
            .jvmOptions(options)
            .classPath(clientJar)
            .main("desk.Client")
            .arguments(InsideHosts.INSIDE, port, Integer.toString(checks))
            .start()) {
      client.awaitLine(Pattern.compile("^over$"), SOON);
      return client.output().stream()
          .filter(line -> line.contains(" -> ") || line.startsWith("trap"))
          .toList();
    }
  }

  @Test
  void dataOfAClassThatTheReceiverLacksAreNeitherACallNorAnObject() throws Exception {
    directory = WorkDirectory.empty(BuiltArtefacts.workDirectory(getClass()));
    hosts = InsideHosts.ofAllTests();
    SourceJar compiled =
        new SourceJar(
            Map.of(
                "desk.Desk", DESK,
                "desk.Spell", SPELL.replace("NAME", "Spell"),
                "desk.Answer", SPELL.replace("NAME", "Answer"),
                "desk.Trap", TRAP,
                "desk.Server", SERVER,
                "desk.Client", CLIENT));
    Path serverJar =
        compiled.write(directory.resolve("server.jar"), file -> !file.contains("Spell"));
    clientJar = compiled.write(directory.resolve("client.jar"), file -> !file.contains("Answer"));
    Path jars = Files.createDirectories(directory.resolve("jars"));
    compiled.write(jars.resolve("desk.jar"), file -> file.matches("desk/(Desk|Spell|Answer).*"));
    try (ChildJvm server =
        ChildJvm.named("desk", directory)
            .jvmOptions(hosts.insideOption())
            .property("java.rmi.server.hostname", InsideHosts.INSIDE)
            .classPath(serverJar)
            .main("desk.Server")
            .start()) {
      port = server.awaitLine(Pattern.compile("^desk ready (\\d+)$"), SOON).group(1);

      assertThat(client("direct", 100_000, hosts.insideOption()))
          .containsExactly(
              "plain -> StreamCorruptedException",
              "plain bound -> true",
              "call as argument -> ClassNotFoundException",
              "call as argument bound -> false",
              "call in a list -> StreamCorruptedException",
              "call in a list bound -> false",
              "object in a list -> StreamCorruptedException",
              "object in a list bound -> true",
              "plain reply -> StreamCorruptedException",
              "plain reply bound -> true",
              "trap sprung",
              "object in a reply -> StreamCorruptedException",
              "object in a reply bound -> true");
      assertThat(trapsIn(server)).isEqualTo(1);

      String settings = "classes:\n  interfaces: '" + jars + "'";
      String targets = OpenGateway.onlyTargets(InsideHosts.INSIDE + ":*");
      String agent;
      try (OpenGateway gateway =
          OpenGateway.start(directory.resolve("gateway"), hosts, targets, settings)) {
        agent = "-javaagent:" + BuiltArtefacts.javaagent() + "=" + gateway.uri();
        assertThat(client("through", 20, hosts.outsideOption(), agent + ",tunnel=*:*,stats=off"))
            .containsExactly(
                "plain -> StreamCorruptedException",
                "plain bound -> true",
                "call as argument -> ClassNotFoundException",
                "call as argument bound -> true",
                "call in a list -> StreamCorruptedException",
                "call in a list bound -> true",
                "object in a list -> refused",
                "object in a list bound -> true",
                "plain reply -> StreamCorruptedException",
                "plain reply bound -> true",
                "object in a reply -> refused",
                "object in a reply bound -> true");
        assertThat(gateway.refusals()).isEqualTo(Map.of("unreadable", 1L, "reply-unreadable", 1L));
      }
      assertThat(trapsIn(server)).isEqualTo(1);
    }
  }

  private static long trapsIn(ChildJvm jvm) {
    Collection<String> lines = jvm.output();
    return lines.stream().filter(line -> line.equals("trap sprung")).count();
  }
}
