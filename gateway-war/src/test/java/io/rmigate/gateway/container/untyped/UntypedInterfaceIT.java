package io.rmigate.gateway.container.untyped;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.container.WorkDirectory;
import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.InsideHosts;
import io.rmigate.gateway.testing.LeftoverCheck;
import io.rmigate.gateway.testing.OpenGateway;
import io.rmigate.gateway.testing.SourceJar;
import io.rmigate.testing.Patience;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * An interface from before generics, with names that are not ASCII: with its jar alone each call
 * does through the gateway what it does without one, a gadget of the jar is refused, and so is an
 * exception that no jar has, of which the caller learns the class and the message.
 */
@ExtendWith(LeftoverCheck.class)
class UntypedInterfaceIT {
  private static final Duration SOON = Patience.PATIENCE;

  private static final String DESK =
      """
      package desk;
      import java.io.*;
      import java.rmi.*;
      import java.util.*;
      public interface Desk extends Remote {
        Vector list() throws RemoteException;
        Hashtable find(Hashtable criteria) throws RemoteException;
        void put(String key, Serializable value) throws RemoteException;
        Object get(String key) throws RemoteException;
        <T> T same(T value) throws RemoteException;
        void check(int number) throws RemoteException;
        void öffne(int number) throws RemoteException, Störung;

        class Gerät implements Serializable {
          public int größe = 7;
          public Zustand 状態 = Zustand.GEÖFFNET;
          public String toString() { return "device " + größe + " " + (状態 == Zustand.GEÖFFNET); }
        }
        enum Zustand { GEÖFFNET }
        class Störung extends Exception { public Störung(String s) { super(s); } }
        class Invalid extends RuntimeException {
          public final Gerät culprit = new Gerät();
          public Invalid(String s) { super(s); }
        }
        class Gadget implements Serializable {
          private Object readResolve() {
            System.setProperty("desk.gadget", "read");
            return "resolved";
          }
        }
      }
      """;

  private static final String MAIN =
      """
      package desk;
      import java.io.*;
      import java.rmi.registry.*;
      import java.rmi.server.UnicastRemoteObject;
      import java.util.*;
      import java.util.concurrent.Callable;
      public class Main implements Desk {
        static final Main DESK = new Main();
        static class Unknown extends RuntimeException {
          Unknown(String s, Throwable cause) { super(s, cause); }
        }
        final Map<String, Serializable> all = new HashMap<>();
        public Vector list() { Vector v = new Vector(); v.add(new Gerät()); return v; }
        public Hashtable find(Hashtable c) {
          Hashtable h = new Hashtable(c); h.put("found", new Gerät()); return h;
        }
        public void put(String k, Serializable v) { all.put(k, v); }
        public Object get(String k) { return all.get(k); }
        public <T> T same(T value) { return value; }
        public void check(int n) {
          if (n == 1) throw new Invalid("one");
          if (n == 2) throw new Unknown("two", new IllegalStateException("because"));
        }
        public void öffne(int n) throws Störung { throw new Störung("three"); }

        static void step(String what, Callable<?> call) {
          String result;
          try { result = String.valueOf(call.call()); }
          catch (Exception e) { result = e.getClass().getName().endsWith("rung") ? "own: " + e.getMessage()
              : e.getClass().getName() + ": " + e.getMessage(); }
          System.out.println(what + " -> " + result.replaceAll("\\\\s+", " "));
        }

        public static void main(String[] a) throws Exception {
          if (a[0].equals("server")) {
            Registry r = LocateRegistry.createRegistry(0);
            r.bind("desk", UnicastRemoteObject.exportObject(DESK, 0));
            String ref = r.toString();
            System.out.println("desk ready " + ref.replaceAll("(?s).*endpoint:\\\\[[^:]*:(\\\\d+)].*", "$1"));
            Thread.sleep(Long.MAX_VALUE);
          }
          Desk d = (Desk) LocateRegistry.getRegistry(a[1], Integer.parseInt(a[2])).lookup("desk");
          step("list", d::list);
          step("find", () -> d.find(new Hashtable(Map.of("k", new Gerät()))).get("found"));
          step("put", () -> { d.put("a", new Gerät()); return "ok"; });
          step("get", () -> d.get("a"));
          step("same", () -> d.same(new Gerät()));
          step("undeclared", () -> { d.check(1); return ""; });
          step("declared", () -> { d.öffne(3); return ""; });
          step("gadget", () -> d.same((Serializable) new Gadget()));
          step("unknown", () -> { d.check(2); return ""; });
          step("again", d::list);
          System.out.println("over");
          System.exit(0);
        }
      }
      """;

  private Path directory;
  private Path program;
  private InsideHosts hosts;

  private List<String> client(String name, String... options) throws Exception {
    try (ChildJvm client =
        ChildJvm.named(name, directory)
            .jvmOptions(options)
            .classPath(program)
            .main("desk.Main")
            .arguments("client", InsideHosts.INSIDE, port)
            .start()) {
      client.awaitLine(Pattern.compile("^over$"), SOON);
      return client.output().stream().filter(line -> line.contains(" -> ")).toList();
    }
  }

  private String port;

  @Test
  void withItsJarAloneItsCallsDoWhatTheyDoWithoutAGateway() throws Exception {
    directory = WorkDirectory.empty(BuiltArtefacts.workDirectory(getClass()));
    hosts = InsideHosts.ofAllTests();
    SourceJar compiled = new SourceJar(Map.of("desk.Desk", DESK, "desk.Main", MAIN));
    program = compiled.write(directory.resolve("program.jar"), file -> true);
    Path jars = Files.createDirectories(directory.resolve("jars"));
    compiled.write(jars.resolve("desk.jar"), file -> file.startsWith("desk/Desk"));
    try (ChildJvm server =
        ChildJvm.named("desk", directory)
            .jvmOptions(hosts.insideOption())
            .property("java.rmi.server.hostname", InsideHosts.INSIDE)
            .classPath(program)
            .main("desk.Main")
            .arguments("server")
            .start()) {
      port = server.awaitLine(Pattern.compile("^desk ready (\\d+)$"), SOON).group(1);
      List<String> direct = client("direct", hosts.insideOption());
      assertThat(direct).hasSize(10).contains("gadget -> resolved", "declared -> own: three");
      try (OpenGateway gateway =
          OpenGateway.start(
              directory.resolve("gateway"),
              hosts,
              OpenGateway.onlyTargets(InsideHosts.INSIDE + ":*"),
              "classes:\n  interfaces: '" + jars + "'")) {
        List<String> through =
            client(
                "through",
                hosts.outsideOption(),
                "-javaagent:"
                    + BuiltArtefacts.javaagent()
                    + "="
                    + gateway.uri()
                    + ",tunnel=*:*,stats=off");
        assertThat(through).hasSize(10);
        for (int i = 0; i < direct.size(); i++) {
          if (!direct.get(i).startsWith("gadget") && !direct.get(i).startsWith("unknown")) {
            assertThat(through.get(i)).isEqualTo(direct.get(i));
          }
        }
        assertThat(through)
            .anyMatch(
                line ->
                    line.startsWith("unknown -> java.rmi.ServerException: rmigate: the call was")
                        && line.contains(
                            "the server has thrown desk.Main$Unknown: two; with"
                                + " java.lang.IllegalStateException: because"))
            .anyMatch(line -> line.startsWith("gadget -> ") && line.contains("not permitted"));
        assertThat(gateway.refusals().values().stream().mapToLong(count -> count).sum())
            .isEqualTo(2);
      }
    }
  }
}
