package io.rmigate.gateway.policy.remote;

import io.rmigate.gateway.policy.type.MethodPattern;
import io.rmigate.gateway.policy.type.RemoteMethod;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** All remote methods that patterns may be about: those in the jars, and those of JMX. */
public final class RemoteMethods {
  private final List<RemoteMethod> all;
  private final Map<Long, List<RemoteMethod>> byHash;

  private RemoteMethods(List<RemoteMethod> all) {
    this.all = all;
    this.byHash = all.stream().collect(Collectors.groupingBy(RemoteMethod::hash));
  }

  /**
   * With what the jars of a directory have.
   *
   * @param jars empty: there are none
   * @throws IOException they cannot be read, or have no remote interface
   */
  public static RemoteMethods of(Optional<Path> jars) throws IOException {
    return jars.isPresent() ? InterfaceJars.of(jars.get()).allMethods() : ofJmx();
  }

  /** With nothing but JMX's. */
  public static RemoteMethods ofJmx() {
    return InterfaceJars.NONE.allMethods();
  }

  /**
   * The methods of jars, and those of JMX. They are sorted, so that the same interface is named at
   * each start where several have a method.
   */
  static RemoteMethods with(Collection<RemoteMethod> inJars) {
    List<RemoteMethod> all = new ArrayList<>(inJars);
    all.sort(Comparator.comparing(RemoteMethod::toString));
    all.addAll(JmxProfile.METHODS);
    return new RemoteMethods(List.copyOf(all));
  }

  /** Whether there is any that the pattern is about. */
  public boolean has(MethodPattern pattern) {
    return all.stream().anyMatch(pattern::matches);
  }

  public List<RemoteMethod> all() {
    return all;
  }

  /** The methods that a call with this hash may mean. */
  public List<RemoteMethod> named(long hash) {
    return byHash.getOrDefault(hash, List.of());
  }
}
