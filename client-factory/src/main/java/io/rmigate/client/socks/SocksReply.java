package io.rmigate.client.socks;

import io.rmigate.protocol.tunnel.RefusalReason;

/** How a SOCKS request is answered (RFC 1928, section 6). SOCKS 4 knows yes and no only. */
public enum SocksReply {
  SUCCEEDED(0),
  GENERAL_FAILURE(1),
  NOT_ALLOWED(2),
  HOST_UNREACHABLE(4),
  CONNECTION_REFUSED(5),
  COMMAND_NOT_SUPPORTED(7),
  ADDRESS_TYPE_NOT_SUPPORTED(8);

  private final int code;

  SocksReply(int code) {
    this.code = code;
  }

  int code() {
    return code;
  }

  /** The SOCKS reply for the gateway's refusal of a raw stream. */
  public static SocksReply of(RefusalReason reason) {
    return switch (reason) {
      case UNKNOWN_HOST -> HOST_UNREACHABLE;
      case CONNECTION_REFUSED -> CONNECTION_REFUSED;
      case TARGET_NOT_PERMITTED -> NOT_ALLOWED;
      default -> GENERAL_FAILURE;
    };
  }
}
