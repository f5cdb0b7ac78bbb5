package io.rmigate.protocol.tunnel;

import io.rmigate.protocol.ProtocolViolationException;
import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * An inner JVM calls an object of the agent's JVM: opens a stream, on which the gateway sends what
 * comes from that JVM. A frame of the session, since it makes the stream.
 *
 * @param opened the stream's number: even, chosen by the gateway
 * @param listener as in {@link Listen}
 * @param peer who calls, as far as the gateway knows; never a loopback address, and the wildcard
 *     address when the gateway knows nothing better
 * @param peerPort from which it calls
 */
public record Accept(int opened, long listener, InetAddress peer, int peerPort) implements Frame {

  @Override
  public FrameType type() {
    return FrameType.ACCEPT;
  }

  @Override
  public String detail() {
    return "%d stream %d from %s:%d".formatted(listener, opened, peer.getHostAddress(), peerPort);
  }

  @Override
  public void encodeBody(FrameOutput out) {
    out.varint(opened);
    out.varint(listener);
    out.opaque(peer.getAddress());
    out.u16(peerPort);
  }

  static Accept decode(int stream, FrameInput in) throws ProtocolViolationException {
    int opened = in.varint(Tunnel.MAX_STREAM);
    if (opened == 0 || opened % 2 != 0) {
      throw new ProtocolViolationException("expected an even stream number from 2, got " + opened);
    }
    return new Accept(opened, Listen.decodeNumber(in), address(in.opaque(16)), in.u16());
  }

  private static InetAddress address(byte[] bytes) throws ProtocolViolationException {
    try {
      InetAddress address = InetAddress.getByAddress(bytes);
      if (address.isLoopbackAddress()) {
        throw new ProtocolViolationException("expected no loopback address, got one");
      }
      return address;
    } catch (UnknownHostException noAddress) {
      throw new ProtocolViolationException(
          "expected an address of 4 or 16 bytes, got " + bytes.length);
    }
  }
}
