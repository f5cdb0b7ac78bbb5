package io.rmigate.gateway.config;

import io.rmigate.gateway.config.ConfigNode.Mapping;
import io.rmigate.gateway.config.ConfigNode.Scalar;
import io.rmigate.gateway.config.ConfigNode.Sequence;
import io.rmigate.gateway.problem.ConfigProblem;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The command line instead of a file, for trying things out; see {@link GatewayConfig#quick}.
 *
 * @param allow target patterns, for everybody who is let in
 * @param raw target patterns of raw streams, for everybody who is let in
 * @param callbacks the address at which objects of clients' JVMs are reached; an empty text is that
 *     of {@code listen}
 * @param grace a duration, as in the file
 * @param rules what calls may carry
 */
public record QuickFlags(
    Door door,
    List<String> allow,
    List<String> raw,
    Optional<String> callbacks,
    Optional<Path> state,
    Optional<String> grace,
    Rules rules) {

  /** The item that matches every name, in lists of principals and of inner hosts. */
  private static final String ANY = "*";

  private static final Pattern LOCAL =
      Pattern.compile("(?:localhost|127(?:\\.\\d{1,3}){3}|\\[::1]):\\d+");

  private static final Pattern LITERAL =
      Pattern.compile("(\\d{1,3}(?:\\.\\d{1,3}){3}|\\[[0-9A-Fa-f:.]+]):\\d+");

  private static final Pattern ANY_ADDRESS = Pattern.compile("0\\.0\\.0\\.0|\\[[0:]+]");

  public QuickFlags {
    allow = List.copyOf(allow);
    raw = List.copyOf(raw);
  }

  /**
   * How clients come in.
   *
   * @param listen {@code host:port}
   * @param tls keystore; needs {@code tlsPasswordFile}
   */
  public record Door(
      Optional<String> listen,
      Optional<Path> tls,
      Optional<Path> tlsPasswordFile,
      boolean insecure,
      boolean anonymous) {

    /** Whether any flag was given. */
    private boolean isGiven() {
      return listen.isPresent()
          || tls.isPresent()
          || tlsPasswordFile.isPresent()
          || insecure
          || anonymous;
    }
  }

  /**
   * What is allowed of JMX; one of both at the most.
   *
   * @param read what changes nothing
   */
  public record Jmx(boolean full, boolean read) {}

  /**
   * What calls may carry, and what clients are told about it.
   *
   * @param classMode enforce, learn or off
   * @param learn stands for the mode learn
   * @param interfaces a directory of jars with remote interfaces
   * @param classes patterns, as in the file
   * @param opaque names of classes
   * @param explain clients are told why something is refused
   */
  public record Rules(
      Optional<String> classMode,
      boolean learn,
      Optional<Path> interfaces,
      List<String> classes,
      List<String> opaque,
      Jmx jmx,
      boolean explain) {

    /** Says nothing. */
    public static final Rules NONE =
        new Rules(
            Optional.empty(),
            false,
            Optional.empty(),
            List.of(),
            List.of(),
            new Jmx(false, false),
            false);

    public Rules {
      classes = List.copyOf(classes);
      opaque = List.copyOf(opaque);
    }

    /** The mode that the section {@code classes} names. */
    private Optional<String> mode() {
      return learn ? Optional.of("learn") : classMode;
    }
  }

  /** Whether only this machine can reach the gateway: then it listens for callbacks there too. */
  boolean isLocal() {
    return door.listen().filter(address -> LOCAL.matcher(address).matches()).isPresent();
  }

  /** Whether any flag was given. */
  public boolean isGiven() {
    return door.isGiven()
        || !allow.isEmpty()
        || state.isPresent()
        || grace.isPresent()
        || !raw.isEmpty()
        || callbacks.isPresent()
        || !rules.equals(Rules.NONE);
  }

  /** The flags that are missing, or exclude each other. */
  List<ConfigProblem> gaps() {
    List<ConfigProblem> gaps = new ArrayList<>();
    if (!door.anonymous()) {
      gaps.add(
          gap(
              "without a configuration file no client can log in; add --anonymous to let every"
                  + " client in, or"
                  + " use --config with logins"));
    }
    if (allow.isEmpty()) {
      gaps.add(
          gap(
              "no server can be reached; add --allow HOST:PORT, for example --allow"
                  + " 'rmi.example:*'"));
    }
    if (door.tls().isEmpty() && !door.insecure()) {
      gaps.add(
          gap(
              "neither TLS nor plain HTTP; add --tls KEYSTORE --tls-password-file FILE, or"
                  + " --insecure for plain HTTP"));
    }
    if (rules.jmx().full() && rules.jmx().read()) {
      gaps.add(gap("--jmx and --jmx-read exclude each other: --jmx allows more; use one of them"));
    }
    if (rules.learn() && rules.classMode().filter(mode -> !mode.equals("learn")).isPresent()) {
      gaps.add(
          gap(
              "--learn and --class-mode "
                  + rules.classMode().get()
                  + " exclude each other; use one of them"));
    }
    if (callbacks.isPresent() && callbackAddress().isEmpty()) {
      gaps.add(
          gap(
              "--callbacks needs an address of the inner interface, at which servers reach this"
                  + " gateway: --callbacks=ADDRESS"));
    }
    return gaps;
  }

  private static ConfigProblem gap(String message) {
    return new ConfigProblem("command line", "", message);
  }

  /**
   * A file that says the same, of which {@code callbacks}, {@code classes} and {@code targets} are
   * the last sections, because {@code policy learned} replaces them.
   */
  public String yaml() {
    return "# Paths are relative to the directory of this file.\n" + ConfigText.of(tree());
  }

  /** The configuration tree of these flags, as a file would define it. */
  Mapping tree() {
    Mapping root = Mapping.at("command line");
    door.listen().ifPresent(value -> root.put(ConfigKey.LISTEN, "--listen", value));
    door.tls().ifPresent(file -> root.put(ConfigKey.TLS_KEYSTORE, "--tls", file.toString()));
    door.tlsPasswordFile()
        .ifPresent(
            file -> root.put(ConfigKey.TLS_PASSWORD_FILE, "--tls-password-file", file.toString()));
    state.ifPresent(file -> root.put(ConfigKey.STATE, "--state", file.toString()));
    grace.ifPresent(value -> root.put(ConfigKey.SESSION_GRACE, "--grace", value));
    if (door.insecure()) {
      root.put(ConfigKey.INSECURE, "--insecure", "true");
    }
    if (door.anonymous()) {
      root.put(ConfigKey.LOGINS_ANONYMOUS, "--anonymous", "true");
    }
    if (!raw.isEmpty()) {
      Mapping streams = everybody("--raw");
      streams.put("allow", list("--raw", raw));
      root.put("raw", new Sequence("--raw", List.of(streams)));
    }
    callbackAddress().ifPresent(address -> putCallbacks(root, address));
    putClasses(root);
    Mapping target = everybody("--allow");
    target.put("allow", list("--allow", allow));
    putRules(target);
    root.put("targets", new Sequence("--allow", List.of(target)));
    return root;
  }

  private void putClasses(Mapping root) {
    String origin = rules.learn() ? "--learn" : "--class-mode";
    rules.mode().ifPresent(mode -> root.put(ConfigKey.CLASSES_MODE, origin, mode));
    rules
        .interfaces()
        .ifPresent(jars -> root.put(ConfigKey.CLASSES_INTERFACES, "--interfaces", jars.toString()));
  }

  private void putRules(Mapping target) {
    if (!rules.classes().isEmpty()) {
      target.put(ConfigKey.TARGETS_CLASSES.lastName(), list("--classes", rules.classes()));
    }
    if (!rules.opaque().isEmpty()) {
      target.put(ConfigKey.TARGETS_OPAQUE.lastName(), list("--opaque", rules.opaque()));
    }
    if (rules.jmx().full()) {
      target.put(ConfigKey.TARGETS_JMX.lastName(), new Scalar("--jmx", "true"));
    }
    if (rules.jmx().read()) {
      target.put(ConfigKey.TARGETS_JMX.lastName(), new Scalar("--jmx-read", "read"));
    }
    if (rules.explain()) {
      target.put(ConfigKey.TARGETS_EXPLAIN.lastName(), new Scalar("--explain", "true"));
    }
  }

  private static Mapping everybody(String origin) {
    Mapping entry = Mapping.at(origin);
    entry.put("principals", list(origin, List.of(ANY)));
    return entry;
  }

  private static Sequence list(String origin, List<String> texts) {
    List<ConfigNode> items = new ArrayList<>();
    texts.forEach(text -> items.add(new Scalar(origin, text)));
    return new Sequence(origin, items);
  }

  /**
   * Where objects of clients' JVMs are reached; empty where they are not. On one machine, to try
   * things out, inner JVMs are those of this machine, too.
   */
  private Optional<String> callbackAddress() {
    Optional<String> given = callbacks.filter(address -> !address.isEmpty());
    if (given.isPresent() || isLocal()) {
      return Optional.of(given.orElse("127.0.0.1"));
    }
    return callbacks
        .flatMap(asListen -> door.listen())
        .map(LITERAL::matcher)
        .filter(Matcher::matches)
        .map(address -> address.group(1))
        .filter(address -> !ANY_ADDRESS.matcher(address).matches());
  }

  private static void putCallbacks(Mapping root, String address) {
    String origin = "--callbacks";
    root.put(ConfigKey.CALLBACKS_ADDRESS, origin, address);
    Mapping section = (Mapping) root.entries().get("callbacks").value();
    section.put("from", list(origin, List.of(address.startsWith("127.") ? "127.*" : ANY)));
    section.put("allow", new Sequence(origin, List.of(everybody(origin))));
  }
}
