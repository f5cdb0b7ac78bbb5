package io.rmigate.client.config;

import java.net.URI;
import java.util.Optional;

/** Source that tells the HTTP proxy through which a gateway is reached. */
public sealed interface ProxySource {

  /** The place of the setting, for messages: {@code environment variable https_proxy}. */
  String origin();

  /**
   * Through none.
   *
   * @param origin why: what names none, or leaves this gateway out
   * @param byDefault whether no configuration says so
   */
  record None(String origin, boolean byDefault) implements ProxySource {

    @Override
    public String toString() {
      return "no HTTP proxy (" + origin + ")";
    }
  }

  /**
   * Something is set that is not understood. The gateway is not reached past it.
   *
   * @param reason without what was set, which may hold a password
   */
  record Unusable(String origin, String reason) implements ProxySource {

    @Override
    public String toString() {
      return "HTTP proxy that is not understood (" + origin + ": " + reason + ")";
    }
  }

  /** Through this one. */
  record Fixed(HttpProxy proxy, String origin) implements ProxySource {

    @Override
    public String toString() {
      return proxy + " (" + origin + ")";
    }
  }

  /**
   * As a PAC file says.
   *
   * @param location of the file; scheme https, http or file
   * @param login what to answer when the HTTP proxy that it names asks
   * @param plainLogin whether it is given to such, too, that a file names which came without TLS
   */
  record Script(URI location, Optional<HttpProxy.Login> login, boolean plainLogin, String origin)
      implements ProxySource {

    /**
     * Whether there is a login that is kept from the HTTP proxies that the file names, because an
     * attacker on the way of the file may have named them.
     */
    public boolean withholdsLogin() {
      return login.isPresent() && !plainLogin && location.getScheme().equalsIgnoreCase("http");
    }

    @Override
    public String toString() {
      return "PAC file " + location;
    }
  }
}
