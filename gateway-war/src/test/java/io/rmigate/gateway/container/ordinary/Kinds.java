package io.rmigate.gateway.container.ordinary;

import java.lang.reflect.Array;
import java.lang.reflect.Proxy;
import java.rmi.Remote;
import java.rmi.registry.Registry;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;

/** Kinds of calls by name, in their order, and how a result is written in one line of ASCII. */
final class Kinds {
  private static final int LONG_ARRAY = 100;

  /** What begins the line of a kind that failed. */
  static final String FAILED = "failed: ";

  private final Map<String, Callable<?>> kinds = new LinkedHashMap<>();
  private final Registry registry;

  Kinds(Registry registry) {
    this.registry = registry;
  }

  /** A kind of call with its result, in which identities of objects must not occur. */
  void add(String name, Callable<?> call) {
    if (kinds.put(name, call) != null) {
      throw new AssertionError(name + " twice");
    }
  }

  /** A kind of call whose result is an exception. */
  void addFailing(String name, Callable<?> call) {
    add(
        name,
        () -> {
          Object result;
          try {
            result = call.call();
          } catch (Exception expected) {
            return expected;
          }
          throw new AssertionError("no exception but " + text(result));
        });
  }

  /** A service; looked up anew by each group of kinds. */
  <T extends Remote> T service(Class<T> type) throws Exception {
    return type.cast(registry.lookup(type.getSimpleName()));
  }

  Registry registry() {
    return registry;
  }

  /** Prints each kind with its result. */
  void run() {
    kinds.forEach((name, call) -> System.out.println(name + " -> " + ascii(result(call))));
  }

  private static String result(Callable<?> call) {
    try {
      return text(call.call());
    } catch (Exception | AssertionError | LinkageError e) {
      return FAILED + text(e);
    }
  }

  private static String ascii(String text) {
    StringBuilder ascii = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      ascii.append(c >= ' ' && c <= '~' ? c : String.format("\\u%04x", (int) c));
    }
    return ascii.toString();
  }

  static String text(Object value) {
    if (value == null || value instanceof String) {
      return String.valueOf(value);
    }
    if (value instanceof Throwable thrown) {
      return text(thrown);
    }
    if (value instanceof Remote stub && Proxy.isProxyClass(stub.getClass())) {
      return "stub of "
          + Arrays.stream(stub.getClass().getInterfaces())
              .map(Class::getSimpleName)
              .collect(Collectors.joining(", "));
    }
    return value.getClass().getTypeName() + " " + content(value);
  }

  private static String content(Object value) {
    if (value instanceof Map<?, ?> map) {
      return map.entrySet().stream()
          .map(entry -> text(entry.getKey()) + "=" + text(entry.getValue()))
          .collect(Collectors.joining(", ", "{", "}"));
    }
    if (value instanceof Collection<?> collection) {
      return collection.stream().map(Kinds::text).collect(Collectors.joining(", ", "[", "]"));
    }
    if (value instanceof byte[] bytes && bytes.length > LONG_ARRAY) {
      return bytes.length + " bytes, " + Arrays.hashCode(bytes);
    }
    if (value.getClass().isArray()) {
      StringBuilder elements = new StringBuilder("[");
      for (int i = 0; i < Array.getLength(value); i++) {
        elements.append(i == 0 ? "" : ", ").append(text(Array.get(value, i)));
      }
      return elements.append(']').toString();
    }
    return value.toString();
  }

  private static String text(Throwable thrown) {
    StringBuilder text = new StringBuilder(thrown.toString());
    for (Throwable suppressed : thrown.getSuppressed()) {
      text.append(" suppressing (").append(text(suppressed)).append(')');
    }
    if (thrown.getCause() != null) {
      text.append(" caused by ").append(text(thrown.getCause()));
    }
    return text.toString();
  }
}
