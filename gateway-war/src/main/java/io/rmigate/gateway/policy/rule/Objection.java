package io.rmigate.gateway.policy.rule;

import io.rmigate.gateway.policy.remote.JmxAccess;
import io.rmigate.gateway.policy.type.HostileClasses;
import io.rmigate.gateway.scan.Finding;
import io.rmigate.protocol.LogText;

/**
 * Why a message may not pass.
 *
 * @param rule the word for metrics and audit
 * @param subject what it is about, such as the name of a class, fit for one line of a log
 * @param remedy what would allow it, to be put into the configuration; empty where nothing would
 */
public record Objection(Rule rule, String subject, String remedy) {
  /** No honest name is longer; clients choose them, and objections are kept. */
  private static final int MAX_CHARS = 256;

  private static final String CUT = "...";

  /** The text before the line in the remedy of a class that no jar explains. */
  static final String ITS_JAR_OR = "its jar in classes.interfaces, or ";

  /** The remedy of a method that no jar has. */
  static final String JAR_OF_METHOD = "the jar with its interface in classes.interfaces";

  /** An objection with as much of the subject as is worth keeping. */
  public Objection {
    subject = printable(subject);
  }

  /** Text of a client's, for one line: short, of characters that are seen, of any script. */
  public static String printable(String text) {
    String kept =
        text.length() <= MAX_CHARS ? text : text.substring(0, MAX_CHARS - CUT.length()) + CUT;
    return isPlain(kept) ? kept : LogText.of(kept);
  }

  /**
   * Whether a text needs no escapes. Makes no objects, because each name in a message comes here.
   */
  private static boolean isPlain(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) < ' ' || text.charAt(i) > '~') {
        return false;
      }
    }
    return true;
  }

  /** Rules that objections refer to. */
  public enum Rule {
    /** A class that nothing allows. */
    CLASS("class"),

    /** A class that no jar and no table explains, or that differs from what they say. */
    SHAPE("class-shape"),

    /** Something that no honest sender writes, or that harms who reads it. */
    STREAM("stream"),

    /** A message that cannot be parsed to its end, or is too long for that. */
    UNREADABLE("unreadable"),

    /** A reference to an object that this session has not received and does not have. */
    REFERENCE("reference"),

    /** An object that no server has given to this session. */
    OBJECT("object"),

    /** A method that no interface in the jars has. */
    METHOD("method"),

    /** An operation of a registry. */
    OPERATION("registry-operation"),

    /** A name in a registry. */
    NAME("registry-name"),

    /** An endpoint. */
    TARGET("target");

    private final String word;

    Rule(String word) {
      this.word = word;
    }

    @Override
    public String toString() {
      return word;
    }
  }

  /** The class that it is about; empty when it is about none. */
  public String className() {
    boolean ofClass =
        rule == Rule.CLASS
            || rule == Rule.SHAPE
            || (rule == Rule.UNREADABLE
                && (remedy.startsWith("opaque") || remedy.startsWith(ITS_JAR_OR)));
    return ofClass ? subject : "";
  }

  /** The endpoint that it is about; empty when it is about none. */
  public String endpoint() {
    return rule == Rule.REFERENCE ? subject : "";
  }

  /**
   * Whether it is about something that stands at a place in what a message carries. A message that
   * is too deep or has too many parts has no such place, and is the dearest one to look through.
   */
  public boolean isOfContent() {
    return switch (rule) {
      case CLASS, SHAPE, REFERENCE -> true;
      case STREAM -> !subject.startsWith("TOO_") || KeyLimit.isRemedy(remedy);
      case UNREADABLE -> !subject.equals(LengthRule.TOO_LONG);
      case OBJECT, METHOD, OPERATION, NAME, TARGET -> false;
    };
  }

  /**
   * Whether no honest program sends such a thing under any rules: a class by which servers are
   * attacked, or bytes that no JDK writes. A message beyond a bound is not hostile.
   */
  public boolean isHostile() {
    return switch (rule) {
      case CLASS, SHAPE -> HostileClasses.has(subject);
      case STREAM ->
          remedy.isEmpty()
              && !subject.startsWith("TOO_")
              && !subject.startsWith(Finding.Kind.NESTED_TOO_OFTEN.name());
      default -> false;
    };
  }

  /** Whether a method is called that no interface in the jars has. */
  public boolean isOfUnknownMethod() {
    return rule == Rule.METHOD && remedy.equals(JAR_OF_METHOD);
  }

  /** Whether what is missing is the permission for JMX. */
  public boolean wantsJmx() {
    return remedy.equals(JmxAccess.FULL.line());
  }

  /** Advice how to permit the subject, in one line. */
  public String advice() {
    if (remedy.startsWith(ITS_JAR_OR)) {
      return "to allow it put its jar into classes.interfaces, or add \""
          + remedy.substring(ITS_JAR_OR.length())
          + "\" to a targets entry";
    }
    if (RuleTypes.isForAllOnly(remedy)) {
      return "to allow it add \"" + remedy + "\" to classes";
    }
    return switch (remedy) {
      case "" -> "nothing in the configuration allows it";
      case JAR_OF_METHOD -> "to allow it put the jar with its interface into classes.interfaces";
      case RequiredPermissions.OTHER_TARGET ->
          "to allow it write a targets entry for that endpoint";
      default -> "to allow it add \"" + remedy + "\" to a targets entry";
    };
  }

  /** The rule and the subject of this objection, in one line. */
  public String reason() {
    return rule + " " + subject;
  }
}
