package io.rmigate.perf.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.rmi.Remote;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Built programs, and a directory for logs and other files of a run.
 *
 * @param libraries the jar of this module, then its dependencies
 * @param war copy of the gateway
 * @param agent copy of the agent
 * @param interfaces directory with the jars of all remote interfaces that are called, as an
 *     operator gives them to a gateway
 */
public record Artefacts(
    List<Path> libraries, Path war, Path agent, Path sample, Path interfaces, Path logs) {
  /** The path of the object that {@link #publishingGateway} publishes. */
  public static final String PUBLISHED = "tester";

  /**
   * The artefacts of the working tree at {@code root}.
   *
   * @param command names the directory for logs
   */
  public static Artefacts of(Path root, String command) throws IOException {
    Path target = root.resolve("perf/target");
    List<Path> libraries = new ArrayList<>();
    libraries.add(target.resolve("rmigate-perf.jar"));
    try (Stream<Path> files = Files.list(target.resolve("lib"))) {
      files.sorted().forEach(libraries::add);
    }
    Path logs = Files.createDirectories(target.resolve(command));
    Path sample = root.resolve("deploy/sample/target/rmigate-sample.jar");
    Path interfaces = Files.createDirectories(logs.resolve("interfaces"));
    copy(libraries.get(0), interfaces.resolve("perf.jar"));
    copy(sample, interfaces.resolve("sample.jar"));
    return new Artefacts(
        libraries,
        copy(root.resolve("gateway-war/target/rmigate.war"), logs.resolve("gateway.war")),
        copy(root.resolve("client-factory/target/rmigate-client.jar"), logs.resolve("agent.jar")),
        sample,
        interfaces,
        logs);
  }

  /** These artefacts, with a directory of their own beneath that for logs and other files. */
  public Artefacts in(String directory) throws IOException {
    return new Artefacts(
        libraries,
        war,
        agent,
        sample,
        interfaces,
        Files.createDirectories(logs.resolve(directory)));
  }

  /**
   * These programs and interfaces with the gateway and the agent of another working tree.
   *
   * @param directory for their copies, logs and other files
   */
  public Artefacts builtIn(Path root, String directory) throws IOException {
    Path itsLogs = Files.createDirectories(logs.resolve(directory));
    return new Artefacts(
        libraries,
        copy(root.resolve("gateway-war/target/rmigate.war"), itsLogs.resolve("gateway.war")),
        copy(
            root.resolve("client-factory/target/rmigate-client.jar"), itsLogs.resolve("agent.jar")),
        sample,
        interfaces,
        itsLogs);
  }

  /** Copies a file, because a build may replace the original during the measurement. */
  private static Path copy(Path from, Path to) throws IOException {
    return Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
  }

  /** Class path of programs that need neither rmigate nor a library. */
  public String programClassPath() {
    return libraries.get(0) + ":" + sample;
  }

  /** Class path of all libraries. */
  public String classPath() {
    return String.join(":", libraries.stream().map(Path::toString).toList());
  }

  /**
   * The arguments of a gateway for all programs of this machine, without logins, over plain HTTP.
   * It prints {@code rmigate ready URL}.
   *
   * @param allow the targets
   */
  public List<String> gateway(String... allow) {
    List<String> arguments =
        new ArrayList<>(List.of("-jar", war.toString(), "--listen", "127.0.0.1:0"));
    arguments.addAll(List.of("--insecure", "--anonymous"));
    arguments.addAll(List.of("--state", logs.resolve("state").toString()));
    arguments.addAll(List.of("--interfaces", interfaces.toString()));
    for (String target : allow) {
      arguments.addAll(List.of("--allow", target));
    }
    return arguments;
  }

  /**
   * The arguments of a gateway that also publishes an object of the sample server to web-service
   * clients, as {@link #PUBLISHED}.
   *
   * @param name of the gateway, for its files
   * @param allow the targets
   * @param object the URL under which it is bound
   */
  public List<String> publishingGateway(
      String name, String allow, String object, Class<? extends Remote> type) throws IOException {
    Path home = Files.createDirectories(logs.resolve(name + "-gateway"));
    copy(sample, Files.createDirectories(home.resolve("jars")).resolve("sample.jar"));
    return configured(
        home,
        enforced(),
        allow,
        """
        services:
          max-calls-per-principal: 300
          max-calls: 300
        publish:
          - path: %s
            object: %s
            interface: %s
            jars: '%s'
            principals: ['*']
        """
            .formatted(PUBLISHED, object, type.getName(), home.resolve("jars")));
  }

  /**
   * The arguments of a gateway that also serves the HTTP tunnelling of JDK 8 and older to this
   * machine.
   *
   * @param name of the gateway, for its files
   * @param allow the targets
   */
  public List<String> legacyGateway(String name, String allow) throws IOException {
    return configured(
        Files.createDirectories(logs.resolve(name + "-gateway")),
        enforced(),
        allow,
        """
        legacy:
          enabled: true
          principal: anybody
          from: [127.0.0.0/8]
        """);
  }

  /**
   * The arguments of a gateway without class rules.
   *
   * @param name of the gateway, for its files
   * @param allow the targets
   */
  public List<String> heedlessGateway(String name, String allow) throws IOException {
    return configured(
        Files.createDirectories(logs.resolve(name + "-gateway")), "mode: off", allow, "");
  }

  private String enforced() {
    return "interfaces: '%s'".formatted(interfaces);
  }

  private List<String> configured(Path home, String classes, String allow, String more)
      throws IOException {
    Path file =
        Files.writeString(
            home.resolve("rmigate.yaml"),
            """
            listen: 127.0.0.1:0
            insecure: true
            hosts: [gateway.example]
            state: '%s'
            logins:
              anonymous: true
            classes:
              %s
            targets:
              - principals: ['*']
                allow: ['%s']
            """
                    .formatted(home.resolve("state"), classes, allow)
                + more);
    return List.of("-jar", war.toString(), "--config", file.toString());
  }
}
