package io.rmigate.gateway.policy.remote;

import io.rmigate.gateway.policy.type.ClassOutline;
import io.rmigate.gateway.policy.type.ClassPattern;
import io.rmigate.gateway.policy.type.RemoteMethod;
import io.rmigate.protocol.jrmp.message.CallHeader;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.management.remote.rmi.RMIConnection;
import javax.management.remote.rmi.RMIServer;

/**
 * The methods that an entry with JMX permits: all of the protocol of JMX that runs only code of the
 * MBeans there. A caller that may create MBeans can run any code (MLet, THREATS T20), and the JVM's
 * own MBeans for diagnosis write files: diagnostic commands, heap dumps, recordings.
 */
public final class JmxProfile {
  private static final List<ClassPattern> CLASSES =
      List.of(
          pattern("javax.management.**"),
          pattern("javax.security.auth.Subject*"),
          pattern("javax.security.auth.login.*"),
          pattern("javax.rmi.ssl.SslRMIClientSocketFactory"),
          pattern("java.rmi.MarshalledObject"));

  /** Classes that only JMX uses: a refusal of one of them is a refusal of JMX. */
  private static final ClassPattern OWN_CLASSES = pattern("javax.management.**");

  /**
   * Names of the methods that change nothing at a server. The singular {@code
   * addNotificationListener} is not among them: it makes one MBean the listener of another.
   */
  private static final Set<String> READING_NAMES =
      Set.of(
          "addNotificationListeners",
          "close",
          "fetchNotifications",
          "getAttribute",
          "getAttributes",
          "getConnectionId",
          "getDefaultDomain",
          "getDomains",
          "getMBeanCount",
          "getMBeanInfo",
          "getObjectInstance",
          "getVersion",
          "isInstanceOf",
          "isRegistered",
          "newClient",
          "queryMBeans",
          "queryNames",
          "removeNotificationListeners");

  private static final Set<Long> PERMITTED = new HashSet<>();
  private static final Set<Long> CREATING = new HashSet<>();

  /** The methods that {@link JmxAccess#READ} permits. */
  private static final Set<Long> READING = new HashSet<>();

  /** Methods that name classes of JMX or of its logins: no other interface has them by chance. */
  private static final Set<Long> TELLING = new HashSet<>();

  /** Names that calls which change something may hold only with this grant. */
  private static final Map<JmxGrant, List<byte[]>> FORBIDDEN =
      Map.of(
          JmxGrant.DIAGNOSTIC_COMMANDS,
          List.of(ascii("DiagnosticCommand"), ascii("HotSpotDiagnostic"), ascii("FlightRecorder")),
          JmxGrant.CLASS_LOADING,
          List.of(ascii("javax.management.loading")));

  /** The methods of JMX's two remote interfaces. */
  public static final List<RemoteMethod> METHODS = methods();

  /** {@link #TELLING} in ascending order: asked for each call, without an object for the hash. */
  private static final long[] TELLING_IN_ORDER =
      TELLING.stream().mapToLong(Long::longValue).sorted().toArray();

  private static List<RemoteMethod> methods() {
    List<RemoteMethod> methods = new ArrayList<>();
    for (Class<?> type : List.of(RMIServer.class, RMIConnection.class)) {
      for (Method method : type.getMethods()) {
        String name = method.getName();
        String descriptor = descriptor(method);
        long hash = ClassOutline.hash(name, descriptor);
        (name.equals("createMBean") ? CREATING : PERMITTED).add(hash);
        if (READING_NAMES.contains(name)) {
          READING.add(hash);
        }
        if (descriptor.contains("Ljavax/")) {
          TELLING.add(hash);
        }
        List<String> parameters =
            Stream.of(method.getParameterTypes()).map(Class::getTypeName).toList();
        methods.add(new RemoteMethod(type.getName(), name, parameters, hash));
      }
    }
    return List.copyOf(methods);
  }

  private JmxProfile() {}

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static ClassPattern pattern(String text) {
    return ClassPattern.parse(text).orElseThrow();
  }

  private static String descriptor(Method method) {
    return Arrays.stream(method.getParameterTypes())
        .map(Class::descriptorString)
        .collect(Collectors.joining("", "(", ")" + method.getReturnType().descriptorString()));
  }

  /** Whether messages may name this class. */
  public static boolean allows(String name) {
    return CLASSES.stream().anyMatch(pattern -> pattern.matches(name));
  }

  /** Whether nothing but JMX has this class. */
  public static boolean owns(String name) {
    return OWN_CLASSES.matches(name);
  }

  /** Whether it is a method of JMX. */
  public static boolean has(long hash) {
    return PERMITTED.contains(hash) || CREATING.contains(hash);
  }

  /** Whether only JMX has the method; {@code close()} may be of any interface. */
  public static boolean isOnlyIts(long hash) {
    return Arrays.binarySearch(TELLING_IN_ORDER, hash) >= 0;
  }

  /** Whether it is a method of JMX that makes an object of a class of the caller's choice. */
  public static boolean creates(long hash) {
    return CREATING.contains(hash);
  }

  /** Whether it is a method of JMX that {@link JmxAccess#READ} does not permit. */
  public static boolean changes(long hash) {
    return has(hash) && !READING.contains(hash);
  }

  /**
   * The grant that the arguments of a call there lack. Metadata, attributes and queries may name
   * any MBean: only an operation runs a diagnostic command, or loads a class.
   */
  public static Optional<JmxGrant> missingGrant(
      CallHeader header, byte[] call, Set<JmxGrant> granted) {
    return changes(header.hash())
        ? FORBIDDEN.entrySet().stream()
            .filter(entry -> !granted.contains(entry.getKey()))
            .filter(entry -> entry.getValue().stream().anyMatch(name -> contains(call, name)))
            .map(Map.Entry::getKey)
            .min(Comparator.naturalOrder())
        : Optional.empty();
  }

  private static boolean contains(byte[] bytes, byte[] wanted) {
    for (int from = 0; from + wanted.length <= bytes.length; from++) {
      if (begins(bytes, from, wanted)) {
        return true;
      }
    }
    return false;
  }

  /** In any form: readers take two or three bytes too where a writer takes one. */
  private static boolean begins(byte[] bytes, int from, byte[] wanted) {
    int at = from;
    for (byte ascii : wanted) {
      int last = 0x80 | (ascii & 0x3F);
      if (at < bytes.length && bytes[at] == ascii) {
        at++;
      } else if (is(bytes, at, 0xC0 | (ascii >> 6)) && is(bytes, at + 1, last)) {
        at += 2;
      } else if (is(bytes, at, 0xE0)
          && is(bytes, at + 1, 0x80 | (ascii >> 6))
          && is(bytes, at + 2, last)) {
        at += 3;
      } else {
        return false;
      }
    }
    return true;
  }

  private static boolean is(byte[] bytes, int at, int wanted) {
    return at < bytes.length && (bytes[at] & 0xFF) == wanted;
  }
}
