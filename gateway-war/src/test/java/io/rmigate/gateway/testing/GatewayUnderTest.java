package io.rmigate.gateway.testing;

import java.net.URI;

/** A gateway in a JVM of its own, ready to be used. */
public interface GatewayUnderTest extends AutoCloseable {

  /** What agents are given, without a trailing slash: {@code https://127.0.0.1:41234/rmigate}. */
  URI uri();

  /** The process. */
  ChildJvm jvm();

  /** Stops it in good order. */
  @Override
  default void close() {
    jvm().close();
  }
}
