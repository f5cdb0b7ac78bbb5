package io.rmigate.gateway.services;

import io.rmigate.gateway.callback.InnerPeers;
import io.rmigate.soap.json.JsonLimits;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Bounds of the web-service front; a reload makes another one, in force for the requests to come.
 *
 * @param url how clients reach the gateway, up to the context path, without a slash at its end;
 *     empty: as each request says
 * @param trustedProxies whose word on that counts
 * @param limits of one request and its result
 * @param bodiesBytes of all requests in progress together
 * @param pace of bodies that come, and of answers that go
 */
public record ServiceSettings(
    Optional<URI> url,
    InnerPeers trustedProxies,
    JsonLimits limits,
    long bodiesBytes,
    Pace pace,
    Calls calls,
    Handles handles) {

  /**
   * Bounds of requests in progress.
   *
   * @param timeout for one call of a remote object
   * @param perPrincipal requests of one principal
   * @param all requests in all
   */
  public record Calls(Duration timeout, int perPrincipal, int all) {}

  /**
   * Bounds of handles.
   *
   * @param lifetime since a handle was made or last renewed
   * @param perPrincipal handles of one principal at a time
   * @param all handles at a time in all
   */
  public record Handles(Duration lifetime, int perPrincipal, int all) {}

  public static final ServiceSettings DEFAULTS =
      new ServiceSettings(
          Optional.empty(),
          InnerPeers.of(List.of()),
          JsonLimits.DEFAULT,
          256L << 20,
          new Pace(Duration.ofSeconds(20), 16 << 10),
          new Calls(Duration.ofMinutes(1), 32, 128),
          new Handles(Duration.ofMinutes(10), 1_000, 100_000));
}
