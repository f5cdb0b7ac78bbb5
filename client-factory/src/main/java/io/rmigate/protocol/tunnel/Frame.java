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
        OpenRaw,
        Sequence,
        Data,
        ReturnEnd,
        Refused,
        Credit,
        Close,
        Deadline,
        Dirty,
        Clean,
        DgcAck,
        Leased,
        Lookup,
        Bound,
        Unbound,
        Forgot,
        Listen,
        Listening,
        Unlisten,
        Accept,
        Hold,
        Release,
        Grant,
        Coded,
        Coding {

  /** The number on the wire. */
  FrameType type();

  /** The stream it belongs to; {@link Tunnel#SESSION} when it belongs to the session. */
  default int stream() {
    return Tunnel.SESSION;
  }

  /** Summary of the body for one line of a log; no payload, token or property value. */
  String detail();

  /** Appends the body, without header, to {@code out}. */
  void encodeBody(FrameOutput out);
}
