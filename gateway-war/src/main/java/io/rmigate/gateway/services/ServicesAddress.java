package io.rmigate.gateway.services;

import jakarta.servlet.http.HttpServletRequest;
import java.util.function.Supplier;

/**
 * The address of {@code /services} as the client of a request reaches it. It is made on first use,
 * because most calls do not need it. Confined to the request's thread.
 */
final class ServicesAddress implements Supplier<String> {
  private final HttpServletRequest request;
  private final ServiceSettings settings;

  /** Null until the first {@link #get}. */
  private String known;

  ServicesAddress(HttpServletRequest request, ServiceSettings settings) {
    this.request = request;
    this.settings = settings;
  }

  /** Without a slash at its end. */
  @Override
  public String get() {
    if (known == null) {
      known = OuterAddress.of(request, settings) + request.getServletPath();
    }
    return known;
  }
}
