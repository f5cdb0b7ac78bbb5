package io.rmigate.perf.harness;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * JVMs that end together. If they are pinned, the client has core 0 and all others core 1. Used by
 * one thread.
 */
public final class JvmGroup implements AutoCloseable {
  private static final int CLIENT_CORE = 0;
  private static final int OTHER_CORE = 1;

  private final Artefacts built;
  private final Path jdk;
  private final boolean pinned;
  private final List<ChildJvm> jvms = new ArrayList<>();

  /**
   * A group without JVMs yet.
   *
   * @param built artefacts whose directory no other group uses
   */
  public JvmGroup(Artefacts built, Path jdk, boolean pinned) {
    this.built = built;
    this.jdk = jdk;
    this.pinned = pinned;
  }

  /** Starts the sample server with {@code hostname} in its stubs; returns its registry's port. */
  public int server(Path hosts, String hostname, String... options) throws IOException {
    List<String> arguments = new ArrayList<>();
    arguments.add("-Djava.rmi.server.hostname=" + hostname);
    arguments.addAll(List.of("-cp", built.sample().toString(), "io.rmigate.sample.SampleServer"));
    arguments.addAll(List.of(options));
    return Integer.parseInt(other("server", hosts, arguments).await("sample ready"));
  }

  /** Starts a gateway with these arguments; returns its URL. */
  public String gateway(Path hosts, List<String> arguments) throws IOException {
    return other("gateway", hosts, arguments).await("rmigate ready");
  }

  /** Starts a JVM on the core of servers and gateways. */
  public ChildJvm other(String role, Path hosts, List<String> arguments) throws IOException {
    return start(role, OTHER_CORE, hosts, arguments);
  }

  /** Starts a JVM on the core of clients. */
  public ChildJvm client(Path hosts, List<String> arguments) throws IOException {
    return start("client", CLIENT_CORE, hosts, arguments);
  }

  private ChildJvm start(String role, int core, Path hosts, List<String> arguments)
      throws IOException {
    List<String> all = new ArrayList<>(List.of("-Xmx256m", "-Djdk.net.hosts.file=" + hosts));
    all.addAll(arguments);
    Path log = built.logs().resolve(role + ".log");
    ChildJvm jvm = ChildJvm.start(role, jdk, pinned ? core : -1, log, all);
    jvms.add(jvm);
    return jvm;
  }

  @Override
  public void close() {
    jvms.forEach(ChildJvm::close);
  }
}
