package io.rmigate.client.link;

import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.tunnel.Feature;
import io.rmigate.protocol.tunnel.Hello;
import io.rmigate.protocol.tunnel.Tunnel;
import io.rmigate.protocol.tunnel.Welcome;
import java.util.Set;

/**
 * The beginning of a link: hello, welcome, and the bindings that the gateway sends behind it. The
 * thread that opens the link waits here, and leads the reading until the bindings have come.
 */
final class LinkGreeting extends Waiter {
  private final Link link;

  /** Null until sent. */
  private volatile Hello hello;

  /** Null until received. */
  private volatile Welcome welcome;

  /** Bindings that were announced with the welcome and have not come. Written by the reader. */
  private volatile int preloading;

  LinkGreeting(Link link) {
    this.link = link;
  }

  @Override
  boolean satisfied() {
    return isDone() || link.hasEnded();
  }

  /** Whether the welcome has come, and all bindings behind it. */
  boolean isDone() {
    return welcome != null && preloading == 0;
  }

  /** The hello is sent next. */
  void begin(Hello first) {
    hello = first;
  }

  Hello hello() {
    return hello;
  }

  boolean isWelcomed() {
    return welcome != null;
  }

  /** The gateway's welcome; null before it has come. */
  Welcome welcome() {
    return welcome;
  }

  /**
   * Asserts that the answer fits the hello.
   *
   * @param offered the features of the hello
   */
  static void check(Welcome answer, Set<Feature> offered) throws ProtocolViolationException {
    if (answer.version() != Tunnel.VERSION) {
      throw new ProtocolViolationException("expected version 1, got " + answer.version());
    }
    if (!offered.containsAll(answer.features())) {
      throw new ProtocolViolationException(
          "expected features that were offered, got " + answer.features());
    }
  }

  /** The welcome has come. By the reader. */
  void end(Welcome answer) throws ProtocolViolationException {
    preloading = preloaded(answer);
    welcome = answer;
    wake(); // the daemon may have read it for the thread that opens the link
  }

  /** A binding has been handed to the listener. By the reader. */
  void onBound() {
    int left = preloading;
    if (left > 0) {
      preloading = left - 1;
      wake();
    }
  }

  private static int preloaded(Welcome answer) throws ProtocolViolationException {
    String count = answer.properties().getOrDefault(Welcome.PRELOADED, "0");
    try {
      return Math.max(0, Integer.parseInt(count));
    } catch (NumberFormatException e) {
      throw new ProtocolViolationException(
          "expected a number of preloaded names, got another text");
    }
  }
}
