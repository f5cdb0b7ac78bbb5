package io.rmigate.client.program.command;

import java.io.ObjectInputFilter;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What servers may have this JVM deserialize: classes of the interface jars, and values of the JDK.
 * Without it a server could have anything made that happens to be in the class path (JEP 290).
 * Thread-safe.
 */
final class ReplyFilter implements ObjectInputFilter {
  private static final int MAX_DEPTH = 200;
  private static final long MAX_ARRAY = 10_000_000;
  private static final long MAX_REFERENCES = 10_000_000;

  /** Values, collections, and what RMI and JMX themselves send. */
  private static final List<String> PACKAGES =
      List.of(
          "java.math.",
          "java.time.",
          "java.rmi.",
          "javax.management.",
          "sun.rmi.server.UnicastRef",
          "javax.rmi.ssl.SslRMIClientSocketFactory");

  private static final Set<String> CLASSES =
      Set.of(
          "java.lang.Object",
          "java.lang.String",
          "java.lang.Boolean",
          "java.lang.Character",
          "java.lang.Number",
          "java.lang.Enum",
          "java.lang.StackTraceElement",
          "java.lang.reflect.Proxy",
          "java.net.URI",
          "java.net.InetAddress",
          "java.net.Inet4Address",
          "java.net.Inet6Address",
          "java.util.AbstractMap$SimpleEntry",
          "java.util.AbstractMap$SimpleImmutableEntry",
          "java.util.ArrayDeque",
          "java.util.ArrayList",
          "java.util.BitSet",
          "java.util.CollSer",
          "java.util.Currency",
          "java.util.Date",
          "java.util.EnumMap",
          "java.util.HashMap",
          "java.util.HashSet",
          "java.util.Hashtable",
          "java.util.LinkedHashMap",
          "java.util.LinkedHashSet",
          "java.util.LinkedList",
          "java.util.Locale",
          "java.util.Properties",
          "java.util.Stack",
          "java.util.TreeMap",
          "java.util.TreeSet",
          "java.util.UUID",
          "java.util.Vector",
          "java.util.logging.Level",
          "java.util.concurrent.ConcurrentHashMap",
          "java.util.concurrent.CopyOnWriteArrayList");

  /** Beginnings of the names of classes that belong together. */
  private static final List<String> FAMILIES =
      List.of(
          "java.util.Collections$",
          "java.util.Arrays$ArrayList",
          "java.util.EnumSet",
          "java.util.RegularEnumSet",
          "java.util.JumboEnumSet");

  private final Optional<ClassLoader> interfaces;

  /**
   * @param interfaces has loaded what is permitted besides; classes of its parents are not
   */
  ReplyFilter(Optional<ClassLoader> interfaces) {
    this.interfaces = interfaces;
  }

  @Override
  public Status checkInput(FilterInfo info) {
    if (info.depth() > MAX_DEPTH
        || info.arrayLength() > MAX_ARRAY
        || info.references() > MAX_REFERENCES) {
      return Status.REJECTED;
    }
    Class<?> type = info.serialClass();
    if (type == null) {
      return Status.UNDECIDED;
    }
    while (type.isArray()) {
      type = type.getComponentType();
    }
    return isPermitted(type) ? Status.ALLOWED : Status.REJECTED;
  }

  private boolean isPermitted(Class<?> type) {
    if (type.isPrimitive() || type.isInterface() || Proxy.isProxyClass(type)) {
      return true; // an interface has no data, and a proxy no other than its handler's
    }
    if (interfaces.isPresent() && type.getClassLoader() == interfaces.get()) {
      return true;
    }
    String name = type.getName();
    boolean ofJdk = type.getModule().isNamed();
    return ofJdk
        && (type.isEnum()
            || CLASSES.contains(name)
            || PACKAGES.stream().anyMatch(name::startsWith)
            || FAMILIES.stream().anyMatch(name::startsWith)
            || (Number.class.isAssignableFrom(type) && name.startsWith("java.lang."))
            || Throwable.class.isAssignableFrom(type));
  }
}
