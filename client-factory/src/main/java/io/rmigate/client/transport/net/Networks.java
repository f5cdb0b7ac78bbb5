package io.rmigate.client.transport.net;

import io.rmigate.client.jvm.NanoClock;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * In which network this machine is, as far as its own addresses show: what has been learnt of ways
 * in the one says nothing in another. Of IPv6 addresses the network counts, since the rest changes
 * daily (RFC 8981). Looked up at most every few seconds. Thread-safe.
 */
public final class Networks {
  private static final long LOOK_NANOS = 2_000_000_000L;
  private static final int NETWORK_BYTES = 8;

  /** Null: this machine. */
  private final Supplier<String> source;

  private final LongSupplier nanoTime;
  private final AtomicReference<Look> latest = new AtomicReference<>();

  private record Look(String network, long nanos) {}

  /** The networks of this machine. */
  public Networks() {
    this(null, NanoClock.SYSTEM);
  }

  /**
   * Networks as another source names them.
   *
   * @param source a text that differs from network to network
   * @param nanoTime the clock, as {@link System#nanoTime}
   */
  public Networks(Supplier<String> source, LongSupplier nanoTime) {
    this.source = source;
    this.nanoTime = nanoTime;
  }

  /** A text that is another one in another network. */
  public String current() {
    long now = nanoTime.getAsLong();
    Look look = latest.get();
    if (look == null || now - look.nanos >= LOOK_NANOS) {
      look = new Look(source == null ? ofThisMachine() : source.get(), now);
      latest.set(look); // a look by another thread at the same time says the same
    }
    return look.network;
  }

  /** A text that is another one in another network, looked up now. */
  public static String ofThisMachine() {
    try {
      StringBuilder text = new StringBuilder();
      for (NetworkInterface each : Collections.list(NetworkInterface.getNetworkInterfaces())) {
        String addresses = each.isUp() && !each.isLoopback() ? addresses(each) : "";
        if (!addresses.isEmpty()) { // those of containers, which come and go, have none here
          text.append(each.getName()).append('=').append(addresses).append(' ');
        }
      }
      return text.toString();
    } catch (SocketException | RuntimeException unknown) { // the platform may lack an address
      return "";
    }
  }

  private static String addresses(NetworkInterface of) {
    Set<String> texts = new TreeSet<>();
    for (InterfaceAddress each : of.getInterfaceAddresses()) {
      if (!each.getAddress().isLinkLocalAddress()) {
        texts.add(text(each.getAddress()));
      }
    }
    return String.join(",", texts);
  }

  private static String text(InetAddress address) {
    byte[] bytes = address.getAddress();
    return HexFormat.of()
        .formatHex(address instanceof Inet4Address ? bytes : Arrays.copyOf(bytes, NETWORK_BYTES));
  }
}
