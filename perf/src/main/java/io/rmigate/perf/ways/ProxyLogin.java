package io.rmigate.perf.ways;

import io.rmigate.client.Rmigate;
import io.rmigate.client.config.ConfigKey;
import java.io.IOException;
import java.net.Authenticator;
import java.net.PasswordAuthentication;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The HTTP proxy of an approach and who one is there, for rmigate or for the JDK's HTTP client. */
final class ProxyLogin {
  private final Optional<URI> proxy;
  private final Optional<String> passwordFile;

  private ProxyLogin(Optional<URI> proxy, Optional<String> passwordFile) {
    this.proxy = proxy;
    this.passwordFile = passwordFile;
  }

  static ProxyLogin of(Approach approach) {
    return new ProxyLogin(approach.proxy(), approach.passwordFile());
  }

  /** No proxy of the environment either, where there is none. */
  void addTo(Rmigate.Builder builder) {
    builder.set(
        ConfigKey.PROXY,
        proxy.map(uri -> "http://" + uri.getHost() + ":" + uri.getPort()).orElse("none"));
    user().ifPresent(user -> builder.set(ConfigKey.PROXY_USER, user));
    passwordFile.ifPresent(file -> builder.set(ConfigKey.PROXY_PASSWORD_FILE, file));
  }

  /** For {@code HttpURLConnection}. */
  void installForTheJdk() throws IOException {
    if (proxy.isEmpty()) {
      return;
    }
    System.setProperty("http.proxyHost", proxy.get().getHost());
    System.setProperty("http.proxyPort", Integer.toString(proxy.get().getPort()));
    System.setProperty("http.nonProxyHosts", ""); // else it leaves out loopback
    if (user().isPresent() && passwordFile.isPresent()) {
      char[] password = Files.readString(Path.of(passwordFile.get())).strip().toCharArray();
      PasswordAuthentication login = new PasswordAuthentication(user().get(), password);
      Authenticator.setDefault(
          new Authenticator() {
            @Override
            protected PasswordAuthentication getPasswordAuthentication() {
              return getRequestorType() == RequestorType.PROXY ? login : null;
            }
          });
    }
  }

  private Optional<String> user() {
    return proxy.map(URI::getUserInfo);
  }
}
