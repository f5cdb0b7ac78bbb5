package io.rmigate.gateway.policy.remote;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** An action of JMX that an entry has to name, because its caller can run any code. */
public enum JmxGrant {
  /** {@code createMBean}: of any class that the server can load. */
  CREATE_MBEANS,

  /**
   * {@code DiagnosticCommand}, {@code HotSpotDiagnostic} and {@code FlightRecorder}: write files
   * wherever the server may, load agents.
   */
  DIAGNOSTIC_COMMANDS,

  /** {@code javax.management.loading}: MLet, which loads classes from anywhere. */
  CLASS_LOADING;

  /** The word of this grant in configurations. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The words of all. */
  public static String[] words() {
    return Stream.of(values()).map(JmxGrant::word).toArray(String[]::new);
  }

  /** The grant that a word of the configuration names. */
  public static Optional<JmxGrant> of(String word) {
    return Stream.of(values()).filter(grant -> grant.word().equals(word)).findFirst();
  }

  /** The subject of an objection to a call that lacks this grant. */
  public String subject() {
    return "JMX " + word();
  }

  /** The line that grants it. */
  public String remedy() {
    return "jmx-grants: [" + word() + "]";
  }
}
