package io.rmigate.gateway.config;

import io.rmigate.gateway.config.ConfigNode.Mapping;
import io.rmigate.gateway.config.ConfigNode.Scalar;
import io.rmigate.gateway.config.ConfigNode.Sequence;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The command line instead of a file, for trying things out; see {@link GatewayConfig#quick}.
 *
 * @param listen {@code host:port}
 * @param allow target patterns, for everybody who is let in
 * @param tls keystore; needs {@code tlsPasswordFile}
 * @param grace a duration, as in the file
 * @param learn calls pass, and what they carry is noted
 * @param interfaces a directory of jars with remote interfaces
 * @param explain clients are told why something is refused
 */
public record QuickFlags(
    Optional<String> listen,
    List<String> allow,
    Optional<Path> tls,
    Optional<Path> tlsPasswordFile,
    boolean insecure,
    boolean anonymous,
    Optional<Path> state,
    Optional<String> grace,
    boolean learn,
    Optional<Path> interfaces,
    boolean explain) {

  private static final Pattern LOCAL =
      Pattern.compile("(?:localhost|127(?:\\.\\d{1,3}){3}|\\[::1]):\\d+");

  public QuickFlags {
    allow = List.copyOf(allow);
  }

  /** Whether only this machine can reach the gateway: then it listens for callbacks there too. */
  boolean isLocal() {
    return listen.filter(address -> LOCAL.matcher(address).matches()).isPresent();
  }

  /** Whether any flag was given. */
  public boolean isGiven() {
    return listen.isPresent()
        || !allow.isEmpty()
        || tls.isPresent()
        || tlsPasswordFile.isPresent()
        || insecure
        || anonymous
        || state.isPresent()
        || grace.isPresent()
        || learn
        || interfaces.isPresent()
        || explain;
  }

  /** What is missing for a gateway that anybody could use. */
  List<ConfigProblem> gaps() {
    List<ConfigProblem> gaps = new ArrayList<>();
    if (!anonymous) {
      gaps.add(
          gap(
              "without a configuration file nobody can log in; add --anonymous to let everybody in, or"
                  + " use --config with logins"));
    }
    if (allow.isEmpty()) {
      gaps.add(
          gap(
              "nothing can be reached; add --allow HOST:PORT, for example --allow 'rmi.example:*'"));
    }
    if (tls.isEmpty() && !insecure) {
      gaps.add(
          gap(
              "neither TLS nor plain HTTP; add --tls KEYSTORE --tls-password-file FILE, or --insecure"
                  + " for plain HTTP"));
    }
    return gaps;
  }

  private static ConfigProblem gap(String message) {
    return new ConfigProblem("command line", "", message);
  }

  /** What a file would say. */
  Mapping tree() {
    Mapping root = Mapping.at("command line");
    listen.ifPresent(value -> root.put(ConfigKey.LISTEN, "--listen", value));
    tls.ifPresent(file -> root.put(ConfigKey.TLS_KEYSTORE, "--tls", file.toString()));
    tlsPasswordFile.ifPresent(
        file -> root.put(ConfigKey.TLS_PASSWORD_FILE, "--tls-password-file", file.toString()));
    state.ifPresent(file -> root.put(ConfigKey.STATE, "--state", file.toString()));
    grace.ifPresent(value -> root.put(ConfigKey.SESSION_GRACE, "--grace", value));
    if (insecure) {
      root.put(ConfigKey.INSECURE, "--insecure", "true");
    }
    if (anonymous) {
      root.put(ConfigKey.LOGINS_ANONYMOUS, "--anonymous", "true");
    }
    interfaces.ifPresent(
        jars -> root.put(ConfigKey.CLASSES_INTERFACES, "--interfaces", jars.toString()));
    if (learn) {
      root.put(ConfigKey.CLASSES_MODE, "--learn", "learn");
    }
    Mapping target = Mapping.at("--allow");
    target.put("principals", new Sequence("--allow", List.of(new Scalar("--allow", "*"))));
    List<ConfigNode> patterns = new ArrayList<>();
    allow.forEach(pattern -> patterns.add(new Scalar("--allow", pattern)));
    target.put("allow", new Sequence("--allow", patterns));
    if (explain) {
      target.put("explain", new Scalar("--explain", "true"));
    }
    root.put("targets", new Sequence("--allow", List.of(target)));
    if (isLocal()) {
      putLocalCallbacks(root);
    }
    return root;
  }

  /** All on one machine, to try things out: inner JVMs are those of this machine too. */
  private static void putLocalCallbacks(Mapping root) {
    String origin = "--listen";
    root.put(ConfigKey.CALLBACKS_ADDRESS, origin, "127.0.0.1");
    Mapping callbacks = (Mapping) root.entries().get("callbacks").value();
    callbacks.put("from", new Sequence(origin, List.of(new Scalar(origin, "127.*"))));
    Mapping everybody = Mapping.at(origin);
    everybody.put("principals", new Sequence(origin, List.of(new Scalar(origin, "*"))));
    callbacks.put("allow", new Sequence(origin, List.of(everybody)));
  }
}
