package io.rmigate.gateway.relay.own;

/** Hears once how a call of {@link OwnCalls} went: on a relay loop, without locks. */
public interface OwnCallListener {

  /**
   * The server has answered.
   *
   * @param message the whole Return from its {@code 51}, normal or exceptional
   */
  void onReturn(byte[] message);

  /** There is no answer and none will come. */
  void onFailure(OwnCallFailure failure);
}
