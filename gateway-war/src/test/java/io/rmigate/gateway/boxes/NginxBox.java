package io.rmigate.gateway.boxes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** nginx, with {@code deploy/nginx/rmigate.conf}. */
final class NginxBox extends ReverseProxy {
  private static final Installed PROGRAM =
      Installed.of("nginx-light", "/usr/sbin/nginx", "/usr/local/sbin/nginx");

  @Override
  public String title() {
    return "nginx";
  }

  @Override
  public Optional<Installed> missing() {
    return PROGRAM.missing();
  }

  @Override
  List<String> command(Mode mode, BoxBed bed, Path directory, int port)
      throws IOException, InterruptedException {
    fragment(mode, bed, directory, port).writeTo(directory);
    Path main =
        Files.writeString(
            directory.resolve("nginx.conf"),
            """
            user root; # counts only where it is started as root
            daemon off;
            worker_processes 1;
            pid %1$s/nginx.pid;
            events { }
            http {
                access_log %1$s/access.log;
                client_body_temp_path %1$s/body;
                proxy_temp_path %1$s/proxy;
                fastcgi_temp_path %1$s/fastcgi;
                uwsgi_temp_path %1$s/uwsgi;
                scgi_temp_path %1$s/scgi;
                include %1$s/rmigate.conf;
            }
            """
                .formatted(directory));
    return List.of(
        PROGRAM.toString(), "-p", directory.toString(), "-e", "error.log", "-c", main.toString());
  }

  private static Fragment fragment(Mode mode, BoxBed bed, Path directory, int port)
      throws IOException, InterruptedException {
    Fragment installed =
        Fragment.of("nginx/rmigate.conf")
            .with("listen 443 ssl", "listen 127.0.0.1:" + port + " ssl")
            .with("gw.example", "localhost")
            .with("127.0.0.1:8080", bed.plainGateway(mode))
            .with("/etc/rmigate/tls/fullchain.pem", bed.pem().certificateIn(directory))
            .with("/etc/rmigate/tls/privkey.pem", bed.pem().keyIn(directory));
    if (mode.refusesUpgrade()) {
      installed =
          installed
              .without("proxy_set_header Upgrade ")
              .with("Connection $rmigate_connection", "Connection \"\"");
    }
    if (mode.cutsIdle()) {
      installed =
          installed
              .with("proxy_read_timeout 90s", "proxy_read_timeout 10s")
              .with("proxy_send_timeout 90s", "proxy_send_timeout 10s");
    }
    return switch (mode) {
      case BUFFERING ->
          installed
              .with("proxy_buffering         off", "proxy_buffering on")
              .with("proxy_request_buffering off", "proxy_request_buffering on");
      case UPGRADE_SWALLOWED ->
          installed.with(
              "location /rmigate/ {", "location /rmigate/ {\nif ($http_upgrade) { return 444; }");
      case BASIC ->
          installed.with(
              "location /rmigate/ {",
              "location /rmigate/ {\nauth_basic \"%s\";\nauth_basic_user_file %s;"
                  .formatted(Login.REALM, Login.htpasswdIn(directory)));
      default -> installed;
    };
  }
}
