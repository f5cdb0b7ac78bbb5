package io.rmigate.client.socks;

import io.rmigate.protocol.jrmp.EndpointId;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;

/**
 * Destinations that this JVM's proxy selector has just sent to the door and that have not been
 * connected yet. Any user of the machine can connect to a port on loopback; by this the door is
 * open only for a moment, and only to where the JVM is going just then. Thread-safe.
 */
final class SelectedDestinations {
  /** From a selector's answer to the SOCKS request there is no network. */
  static final Duration VALID = Duration.ofSeconds(10);

  /** More threads do not connect at the same moment; the oldest are forgotten. */
  static final int MOST = 4096;

  private static final Pattern IPV4 = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}");

  /**
   * A connection that the JVM is about to ask for.
   *
   * @param isTls whether a TLS socket asks for it
   */
  record Selection(EndpointId endpoint, boolean isTls) {}

  private record Selected(Selection selection, long sinceNanos) {
    EndpointId endpoint() {
      return selection.endpoint();
    }
  }

  private final LongSupplier clock;
  private final ReentrantLock lock = new ReentrantLock();
  private final Deque<Selected> selected = new ArrayDeque<>();

  /**
   * @param clock as {@link System#nanoTime}
   */
  SelectedDestinations(LongSupplier clock) {
    this.clock = clock;
  }

  /** The JVM is about to ask for this, once. */
  void add(Selection selection) {
    lock.lock();
    try {
      forgetOld();
      if (selected.size() == MOST) {
        selected.removeFirst();
      }
      selected.addLast(new Selected(selection, clock.getAsLong()));
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes the selection that a request is for. The request holds an address where the JVM could
   * resolve the name it was given; what counts inside is the name.
   *
   * @return the endpoint as the JVM named it; empty when it was not
   */
  Optional<Selection> take(EndpointId requested) {
    Optional<Selection> same = takeSame(requested);
    if (same.isPresent() || !isAddress(requested.host())) {
      return same;
    }
    for (EndpointId candidate : atPort(requested.port())) {
      if (standsFor(candidate.host(), requested.host())) {
        return takeSame(candidate);
      }
    }
    return Optional.empty();
  }

  private Optional<Selection> takeSame(EndpointId endpoint) {
    lock.lock();
    try {
      forgetOld();
      for (Iterator<Selected> each = selected.iterator(); each.hasNext(); ) {
        Selected next = each.next();
        EndpointId candidate = next.endpoint();
        if (candidate.port() == endpoint.port()
            && candidate.host().equalsIgnoreCase(endpoint.host())) {
          each.remove();
          return Optional.of(next.selection());
        }
      }
      return Optional.empty();
    } finally {
      lock.unlock();
    }
  }

  private List<EndpointId> atPort(int port) {
    lock.lock();
    try {
      return selected.stream()
          .map(Selected::endpoint)
          .filter(candidate -> candidate.port() == port)
          .distinct()
          .toList();
    } finally {
      lock.unlock();
    }
  }

  private static boolean isAddress(String host) {
    return host.indexOf(':') >= 0 || IPV4.matcher(host).matches();
  }

  /** The JVM has just resolved the name itself, so the answer is in its cache as a rule. */
  private static boolean standsFor(String name, String address) {
    try {
      return Arrays.stream(InetAddress.getAllByName(name))
          .anyMatch(resolved -> resolved.getHostAddress().equals(address));
    } catch (UnknownHostException unknown) {
      return false;
    }
  }

  private void forgetOld() {
    long now = clock.getAsLong();
    while (!selected.isEmpty() && now - selected.peek().sinceNanos() > VALID.toNanos()) {
      selected.remove();
    }
  }
}
