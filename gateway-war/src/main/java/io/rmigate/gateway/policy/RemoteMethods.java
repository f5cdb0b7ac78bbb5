package io.rmigate.gateway.policy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** All remote methods that patterns may be about: those in the jars, and those of JMX. */
public final class RemoteMethods {
  private final List<RemoteMethod> all;

  private RemoteMethods(List<RemoteMethod> all) {
    this.all = all;
  }

  /**
   * With what the jars of a directory have.
   *
   * @param jars empty: there are none
   * @throws IOException they cannot be read, or have no remote interface
   */
  public static RemoteMethods of(Optional<Path> jars) throws IOException {
    return of(jars.isPresent() ? InterfaceJars.of(jars.get()) : InterfaceJars.NONE);
  }

  /** With nothing but JMX's. */
  public static RemoteMethods ofJmx() {
    return of(InterfaceJars.NONE);
  }

  static RemoteMethods of(InterfaceJars jars) {
    List<RemoteMethod> all = new ArrayList<>(jars.remoteMethods());
    all.addAll(JmxProfile.METHODS);
    return new RemoteMethods(List.copyOf(all));
  }

  /** Whether there is any that the pattern is about. */
  public boolean has(MethodPattern pattern) {
    return all.stream().anyMatch(pattern::matches);
  }

  List<RemoteMethod> all() {
    return all;
  }
}
