package io.rmigate.gateway.boxes;

/** How a box is set up. */
enum Mode {
  UPGRADE_ALLOWED("upgrade allowed", Rung.WEBSOCKET),
  UPGRADE_REFUSED("upgrade refused", Rung.POST),
  UPGRADE_SWALLOWED("upgrade swallowed", Rung.POST),
  IDLE_CUT("idle cut 10 s", Rung.WEBSOCKET),
  /** The link is lost until the client has learnt to rest for less. */
  IDLE_CUT_UNAWARES("idle cut 10 s, heartbeats rarer", Rung.WEBSOCKET),
  IDLE_CUT_POST("idle cut 10 s, upgrade refused", Rung.POST),
  BUFFERING("buffering on, upgrade refused", Rung.POST),
  BASIC("Basic", Rung.WEBSOCKET),
  DIGEST("Digest", Rung.WEBSOCKET),
  CONNECT_REFUSED("CONNECT refused", Rung.NONE);

  private final String title;
  private final Rung rung;

  Mode(String title, Rung rung) {
    this.title = title;
    this.rung = rung;
  }

  /** On which rung clients should end. */
  Rung rung() {
    return rung;
  }

  /** Whether an upgrade is answered as if it had not been asked for. */
  boolean refusesUpgrade() {
    return rung == Rung.POST && this != UPGRADE_SWALLOWED;
  }

  /** Whether connections are cut that rest for {@link BoxMatrix#CUT}. */
  boolean cutsIdle() {
    return this == IDLE_CUT || this == IDLE_CUT_UNAWARES || this == IDLE_CUT_POST;
  }

  /** Whether the gateway's heartbeats do not keep connections from being cut. */
  boolean beatsRarely() {
    return this == IDLE_CUT_UNAWARES;
  }

  @Override
  public String toString() {
    return title;
  }
}
