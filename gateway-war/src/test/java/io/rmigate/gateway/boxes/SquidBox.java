package io.rmigate.gateway.boxes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** squid, with {@code deploy/squid/rmigate.conf}. */
final class SquidBox extends ForwardProxy {
  private static final Installed PROGRAM = Installed.of("squid", "/usr/sbin/squid");
  private static final Installed BASIC = helper("basic_ncsa_auth");
  private static final Installed DIGEST = helper("digest_file_auth");
  private static final Installed NEGOTIATE = helper("negotiate_kerberos_auth");

  private final Optional<KerberosRealm> realm;

  SquidBox() {
    realm = Optional.empty();
  }

  /** A squid, in any mode, that knows the users of that realm and has logins by Negotiate only. */
  SquidBox(KerberosRealm realm) {
    this.realm = Optional.of(realm);
  }

  private static Installed helper(String name) {
    return Installed.of("squid", "/usr/lib/squid/" + name, "/usr/lib64/squid/" + name);
  }

  @Override
  public String title() {
    return "squid";
  }

  @Override
  public Optional<Installed> missing() {
    return realm.isPresent() ? missingForNegotiate() : PROGRAM.missing();
  }

  /** What of it and its logins by Negotiate is not on this machine; empty when all is. */
  static Optional<Installed> missingForNegotiate() {
    return PROGRAM.missing().or(NEGOTIATE::missing);
  }

  @Override
  String host() {
    return realm.isPresent() ? KerberosRealm.HOST : super.host();
  }

  @Override
  int listen(Mode mode, int gatewayPort, List<BoxPart> parts)
      throws IOException, InterruptedException {
    BoxProcess process =
        BoxProcess.start((directory, port) -> command(mode, gatewayPort, directory, port));
    parts.add(process);
    return process.port();
  }

  private List<String> command(Mode mode, int gatewayPort, Path directory, int port)
      throws IOException {
    Fragment installed =
        Fragment.of("squid/rmigate.conf")
            .with("src 10.0.0.0/8", "src 127.0.0.1")
            .with("dstdomain gw.example", "dst 127.0.0.1")
            .with("port 443", "port " + permitted(mode, gatewayPort));
    if (mode.cutsIdle()) {
      installed = installed.with("read_timeout 5 minutes", "read_timeout 10 seconds");
    }
    String login = "";
    if (realm.isPresent()) {
      login =
          "auth_param negotiate program %s -k %s -s %s"
              .formatted(NEGOTIATE, realm.get().keytab(), KerberosRealm.SERVICE);
    } else if (mode == Mode.BASIC) {
      login = "auth_param basic program %s %s".formatted(BASIC, Login.htpasswdIn(directory));
    } else if (mode == Mode.DIGEST) {
      Path users =
          Files.writeString(directory.resolve("users"), Login.USER + ":" + Login.PASSWORD + "\n");
      login =
          "auth_param digest program %s %s\nauth_param digest realm %s"
              .formatted(DIGEST, users, Login.REALM);
    }
    if (!login.isEmpty()) {
      installed =
          installed.with(
              "acl rmigate_clients src 127.0.0.1", "acl rmigate_clients proxy_auth REQUIRED");
    }
    Path fragment = installed.writeTo(directory);
    Path main =
        Files.writeString(
            directory.resolve("squid.conf"),
            """
            http_port 127.0.0.1:%d
            %s
            include %s
            http_access deny all
            cache deny all
            access_log stdio:%s/access.log
            cache_log %s/cache.log
            pid_filename none
            coredump_dir %s
            netdb_filename none
            pinger_enable off
            shutdown_lifetime 0 seconds
            """
                .formatted(port, login, fragment, directory, directory, directory));
    List<String> command = new ArrayList<>();
    realm.ifPresent(of -> command.addAll(of.environment()));
    command.addAll(List.of(PROGRAM.toString(), "-N", "-f", main.toString()));
    return command;
  }
}
