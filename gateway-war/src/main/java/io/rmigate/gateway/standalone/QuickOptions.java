package io.rmigate.gateway.standalone;

import io.rmigate.gateway.config.QuickFlags;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The flags that stand for a configuration file; {@link QuickFlags} says what they mean. */
final class QuickOptions {
  @Option(
      names = "--listen",
      paramLabel = "HOST:PORT",
      description = "Where to listen; port 0 takes a free one. Default 0.0.0.0:8443.")
  private String listen;

  @Option(
      names = "--allow",
      paramLabel = "PATTERN",
      description =
          "RMI servers that may be reached, as host:port with wildcards: 'rmi*.example:1099-1110',"
              + " 'inside.example:*'. Repeatable.")
  private List<String> allow = new ArrayList<>();

  @Option(
      names = "--tls",
      paramLabel = "KEYSTORE",
      description = "Serve HTTPS with this PKCS12 or JKS file.")
  private Path tls;

  @Option(
      names = "--tls-password-file",
      paramLabel = "FILE",
      description = "File with the keystore's password in its first line.")
  private Path tlsPasswordFile;

  @Option(names = "--insecure", description = "Serve plain HTTP.")
  private boolean insecure;

  @Option(names = "--anonymous", description = "Let every client in without a login.")
  private boolean anonymous;

  @Option(
      names = "--state",
      paramLabel = "DIR",
      description = "Directory for data that must survive a restart. Default .rmigate.")
  private Path state;

  @Option(
      names = "--grace",
      paramLabel = "DURATION",
      description =
          "How long a session survives the loss of its link, so that its client can come back: 30s,"
              + " 5m. Default 2m.")
  private String grace;

  @Option(
      names = "--raw",
      paramLabel = "PATTERN",
      description =
          "Servers that raw streams may reach, by TLS only, as host:port with wildcards. The"
              + " gateway"
              + " does not check what raw streams carry. Repeatable.")
  private List<String> raw = new ArrayList<>();

  @Option(
      names = "--callbacks",
      arity = "0..1",
      fallbackValue = "",
      paramLabel = "ADDRESS",
      description =
          "Let servers call objects of clients, at this address of the gateway; without ADDRESS, at"
              + " that of --listen. Without the flag, servers can do so only if --listen is a"
              + " loopback address.")
  private String callbacks;

  @Option(
      names = "--interfaces",
      paramLabel = "DIR",
      description =
          "Directory with the jars of the remote interfaces: their methods may be called, with the"
              + " classes that their signatures mention. Without it, calls may carry only values of"
              + " the JDK.")
  private Path interfaces;

  @Option(
      names = "--class-mode",
      paramLabel = "MODE",
      description =
          "enforce: refuse calls with contents that are not allowed. learn: as --learn. off: do not"
              + " check contents. Default enforce.")
  private String classMode;

  @Option(
      names = "--classes",
      paramLabel = "PATTERN",
      description =
          "Further classes that calls and replies may carry: 'com.acme.Order', 'com.acme.**'; a !"
              + " in front refuses. Repeatable; the first pattern that matches decides.")
  private List<String> classes = new ArrayList<>();

  @Option(
      names = "--opaque",
      paramLabel = "CLASS",
      description =
          "A class whose data the gateway does not check, so that its sender can hide anything in"
              + " it. Repeatable.")
  private List<String> opaque = new ArrayList<>();

  @Option(
      names = "--jmx",
      description = "Allow JMX, except operations that can run any code in a server.")
  private boolean jmx;

  @Option(names = "--jmx-read", description = "Allow JMX for reading only.")
  private boolean jmxRead;

  @Option(
      names = "--learn",
      description =
          "Let all calls pass, and note the rules that would allow them: `policy learned` prints"
              + " the"
              + " rules.")
  private boolean learn;

  @Option(
      names = "--explain",
      description =
          "Tell clients why a call is refused, and what would allow it. Without it, their"
              + " exceptions"
              + " only have the number of the refusal, for `policy explain`.")
  private boolean explain;

  QuickFlags flags() {
    return new QuickFlags(
        new QuickFlags.Door(
            Optional.ofNullable(listen),
            Optional.ofNullable(tls),
            Optional.ofNullable(tlsPasswordFile),
            insecure,
            anonymous),
        allow,
        raw,
        Optional.ofNullable(callbacks),
        Optional.ofNullable(state),
        Optional.ofNullable(grace),
        new QuickFlags.Rules(
            Optional.ofNullable(classMode),
            learn,
            Optional.ofNullable(interfaces),
            classes,
            opaque,
            new QuickFlags.Jmx(jmx, jmxRead),
            explain));
  }
}
