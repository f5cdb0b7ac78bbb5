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

  @Option(names = "--anonymous", description = "Let everybody in without a login.")
  private boolean anonymous;

  @Option(
      names = "--state",
      paramLabel = "DIR",
      description = "Where to keep what must outlive a restart. Default .rmigate.")
  private Path state;

  @Option(
      names = "--grace",
      paramLabel = "DURATION",
      description =
          "How long a session outlives the loss of its link, for its client may come back: 30s, 5m."
              + " Default 2m.")
  private String grace;

  @Option(
      names = "--raw",
      paramLabel = "PATTERN",
      description =
          "Servers that raw streams may reach, TLS and nothing else, as host:port with wildcards."
              + " Nothing looks into these. Repeatable.")
  private List<String> raw = new ArrayList<>();

  @Option(
      names = "--callbacks",
      arity = "0..1",
      fallbackValue = "",
      paramLabel = "ADDRESS",
      description =
          "Let servers call objects of clients, at this address of the gateway; left out that of"
              + " --listen. Without the flag only where --listen is an address of this machine"
              + " alone.")
  private String callbacks;

  @Option(
      names = "--interfaces",
      paramLabel = "DIR",
      description =
          "Jars of the remote interfaces: their methods may be called, with the classes that these"
              + " mention. Without it only values of the JDK pass.")
  private Path interfaces;

  @Option(
      names = "--class-mode",
      paramLabel = "MODE",
      description =
          "enforce: calls carry what is allowed. learn: as --learn. off: they are not looked into."
              + " Default enforce.")
  private String classMode;

  @Option(
      names = "--classes",
      paramLabel = "PATTERN",
      description =
          "Classes that calls and replies may carry, too: 'com.acme.Order', 'com.acme.**'; with !"
              + " in front what they may not. Repeatable; the first that matches decides.")
  private List<String> classes = new ArrayList<>();

  @Option(
      names = "--opaque",
      paramLabel = "CLASS",
      description =
          "A class whose data are not looked into: who may send it may hide anything in it."
              + " Repeatable.")
  private List<String> opaque = new ArrayList<>();

  @Option(
      names = "--jmx",
      description = "Allow JMX, without the operations that may run anything in a server.")
  private boolean jmx;

  @Option(names = "--jmx-read", description = "Allow what of JMX changes nothing.")
  private boolean jmxRead;

  @Option(
      names = "--learn",
      description =
          "Let calls pass, and note what would have to be allowed: `policy learned` prints it.")
  private boolean learn;

  @Option(
      names = "--explain",
      description =
          "Tell clients why something is refused, and what would allow it. Without it their"
              + " exceptions have the number of the refusal, for `policy explain`.")
  private boolean explain;

  QuickFlags flags() {
    return new QuickFlags(
        Optional.ofNullable(listen),
        allow,
        Optional.ofNullable(tls),
        Optional.ofNullable(tlsPasswordFile),
        insecure,
        anonymous,
        Optional.ofNullable(state),
        Optional.ofNullable(grace),
        raw,
        Optional.ofNullable(callbacks),
        new QuickFlags.Rules(
            Optional.ofNullable(classMode),
            learn,
            Optional.ofNullable(interfaces),
            classes,
            opaque,
            jmx,
            jmxRead,
            explain));
  }
}
