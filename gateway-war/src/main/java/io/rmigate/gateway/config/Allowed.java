package io.rmigate.gateway.config;

import java.time.Duration;
import java.util.List;

/**
 * What may stand behind a key.
 *
 * @param shape how the value is read
 * @param text the sentence behind "allowed:" in an error and in the reference table
 * @param min the smallest duration (milliseconds), size (bytes) or number; else 0
 * @param max the largest; else 0
 * @param names the words to choose from; empty when any will do
 */
record Allowed(Shape shape, String text, long min, long max, List<String> names) {

  /** How a value is read. */
  enum Shape {
    TEXT,
    FLAG,
    DURATION,
    SIZE,
    COUNT,
    HOST_PORT,
    CONTEXT_PATH,
    FILE,
    FILE_OR_URL,
    NEW_FILE,
    DIRECTORY,
    CHOICE,
    WORDS,
    WORDS_OR_NONE,
    PRINCIPALS,
    TARGET_PATTERNS,
    HOST_PATTERN,
    HOST,
    ADDRESS,
    PORT_RANGE,
    PORTS,
    PEERS,
    REGISTRY_NAMES,
    SERVICE_PATH,
    RMI_URL,
    CLASS_NAME,
    CLASS_NAMES,
    CLASS_PATTERNS,
    METHOD_PATTERNS,
    SIGNATURE,
    OUTER_URL,
    PROXIES,
    ORIGINS,
    HOST_NAMES
  }

  static final Allowed TEXT = of(Shape.TEXT, "a text that is not empty");
  static final Allowed FLAG = of(Shape.FLAG, "true or false");
  static final Allowed HOST_PORT =
      of(Shape.HOST_PORT, "host:port or [IPv6]:port, port 0 to 65535 (0: any free one)");
  static final Allowed CONTEXT_PATH =
      of(Shape.CONTEXT_PATH, "/ or a path such as /rmigate of letters, digits and . _ - ~");
  static final Allowed FILE =
      of(Shape.FILE, "a readable file, relative to the directory of the configuration file");
  static final Allowed FILE_OR_URL =
      of(Shape.FILE_OR_URL, "a readable file or an https:// address");
  static final Allowed NEW_FILE =
      of(
          Shape.NEW_FILE,
          "a file, made if need be, relative to the directory of the configuration file");
  static final Allowed DIRECTORY =
      of(Shape.DIRECTORY, "a directory, relative to the directory of the configuration file");
  static final Allowed WORDS = of(Shape.WORDS, "a list of names");
  static final Allowed PRINCIPALS = of(Shape.PRINCIPALS, "a list of names and group:NAME");
  static final Allowed TARGET_PATTERNS =
      of(
          Shape.TARGET_PATTERNS,
          "a list of host:port; * in the host stands for any characters, the port is a number,"
              + " a range such as 1099-1110 or *");

  static final Allowed HOST_PATTERN =
      of(Shape.HOST_PATTERN, "a host, in which * stands for any characters");
  static final Allowed REGISTRY_NAMES = of(Shape.REGISTRY_NAMES, "a list of host:port/name");
  static final Allowed ADDRESS =
      of(Shape.ADDRESS, "an IP address of this machine, and not a wildcard such as 0.0.0.0");
  static final Allowed PORT_RANGE =
      of(Shape.PORT_RANGE, "a port, a range such as 40000-40999, or 0 for any free one");
  static final Allowed PORTS = of(Shape.PORTS, "a list of ports and ranges such as 5000-5010");
  static final Allowed PEERS =
      of(
          Shape.PEERS,
          "a list of addresses, in which * stands for any characters, networks such as 10.0.0.0/8,"
              + " and host names");
  static final Allowed HOST = of(Shape.HOST, "a host name or an address");
  static final Allowed SERVICE_PATH =
      of(Shape.SERVICE_PATH, "words of letters, digits and . _ - with slashes between");
  static final Allowed RMI_URL = of(Shape.RMI_URL, "rmi://host:port/name");
  static final Allowed CLASS_NAME =
      of(Shape.CLASS_NAME, "a class name with its package; of a nested class with $");
  static final Allowed CLASS_NAMES = of(Shape.CLASS_NAMES, "a list of class names");
  static final Allowed CLASS_PATTERNS =
      of(
          Shape.CLASS_PATTERNS,
          "a list of class names, com.acme.* for those of a package, com.acme.** for those below it"
              + " too, com.acme.Ord* for those that begin so; ! in front refuses");
  static final Allowed METHOD_PATTERNS =
      of(
          Shape.METHOD_PATTERNS,
          "a list of methods such as com.acme.Shop.add, com.acme.Shop.add(int,String),"
              + " com.acme.Shop.get* and com.acme.Shop.*; ! in front takes away");
  static final Allowed JAR_DIRECTORY =
      of(
          Shape.DIRECTORY,
          "a readable directory, relative to the directory of the configuration file");
  static final Allowed SIGNATURE =
      of(
          Shape.SIGNATURE,
          "a method with the simple names of its parameters' types, such as find(String,int[])");
  static final Allowed OPERATION_NAME = of(Shape.TEXT, "letters, digits and _");
  static final Allowed OUTER_URL =
      of(Shape.OUTER_URL, "an http:// or https:// address such as https://gw.example/rmigate");
  static final Allowed PROXIES =
      of(
          Shape.PROXIES,
          "a list of addresses, in which * stands for any characters, and networks such as"
              + " 10.0.0.0/8");

  static final Allowed ORIGINS =
      of(Shape.ORIGINS, "a list of https://host or http://host, with :port unless it is 443 or 80");

  static final Allowed HOST_NAMES =
      of(
          Shape.HOST_NAMES,
          "a list of host names without a port, in which * stands for any characters");

  Allowed {
    names = List.copyOf(names);
  }

  private static Allowed of(Shape shape, String text) {
    return new Allowed(shape, text, 0, 0, List.of());
  }

  static Allowed duration(String min, String max) {
    return new Allowed(
        Shape.DURATION,
        min + " to " + max + ", units ms, s, m, h, d",
        Units.duration(min).map(Duration::toMillis).orElseThrow(),
        Units.duration(max).map(Duration::toMillis).orElseThrow(),
        List.of());
  }

  static Allowed size(String min, String max) {
    return new Allowed(
        Shape.SIZE,
        min + " to " + max + ", units B, KiB, MiB",
        Units.bytes(min).orElseThrow(),
        Units.bytes(max).orElseThrow(),
        List.of());
  }

  static Allowed count(int min, int max) {
    return new Allowed(Shape.COUNT, "a number from " + min + " to " + max, min, max, List.of());
  }

  static Allowed oneOf(String... names) {
    return new Allowed(Shape.CHOICE, String.join(", ", names), 0, 0, List.of(names));
  }

  /**
   * Words of a list that may be empty; an empty list permits nothing, and differs from a missing
   * one.
   */
  static Allowed wordsOrNoneOf(String... names) {
    return new Allowed(
        Shape.WORDS_OR_NONE,
        "a list of " + String.join(", ", names) + "; [] for none",
        0,
        0,
        List.of(names));
  }

  static Allowed wordsOf(String... names) {
    return new Allowed(Shape.WORDS, "a list of " + String.join(", ", names), 0, 0, List.of(names));
  }
}
