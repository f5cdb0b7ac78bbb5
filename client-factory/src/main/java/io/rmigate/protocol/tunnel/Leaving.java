package io.rmigate.protocol.tunnel;

/**
 * The agent's JVM is about to end: when the link ends from here on, it has ended in order, without
 * a goodbye. The JVM's last calls may still come.
 */
public record Leaving() implements Frame {

  @Override
  public FrameType type() {
    return FrameType.LEAVING;
  }

  @Override
  public String detail() {
    return "";
  }

  @Override
  public void encodeBody(FrameOutput out) {}

  static Leaving decode(int stream, FrameInput in) {
    return new Leaving();
  }
}
