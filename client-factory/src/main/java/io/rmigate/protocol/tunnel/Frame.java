package io.rmigate.protocol.tunnel;

/** A unit of the link protocol. See PROTOCOL.md for who may send which when. */
public sealed interface Frame
    permits Hello,
        Welcome,
        Goodbye,
        Heartbeat,
        HeartbeatAck,
        Ack,
        Drain,
        Leaving,
        Report,
        Open,
        Data,
        ReturnEnd,
        Refused,
        Credit,
        Close,
        Dirty,
        Clean,
        DgcAck,
        Leased,
        Lookup,
        Bound,
        Unbound,
        Forgot,
        Coded,
        Coding {

  /** The number on the wire. */
  FrameType type();

  /** The stream it belongs to; {@link Tunnel#SESSION} when it belongs to the session. */
  default int stream() {
    return Tunnel.SESSION;
  }

  /** Appends the body, without header, to {@code out}. */
  void encodeBody(FrameOutput out);
}
