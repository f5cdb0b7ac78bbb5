package io.rmigate.client.socks;

import io.rmigate.protocol.jrmp.EndpointId;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** What SOCKS clients say first. */
public final class SocksTarget {
  private static final SocksLogin LOGIN = new SocksLogin("user", "secret");

  /** A host and a port, or refused; with a login nothing without its password. */
  public static void fuzzerTestOneInput(byte[] input) {
    read(input, Optional.empty());
    if (read(input, Optional.of(LOGIN))
        && !new String(input, StandardCharsets.ISO_8859_1).contains("user\6secret")) {
      throw new IllegalStateException("let in without the password");
    }
  }

  private static boolean read(byte[] input, Optional<SocksLogin> login) {
    ByteArrayOutputStream answers = new ByteArrayOutputStream();
    try {
      EndpointId to =
          new SocksHandshake(new ByteArrayInputStream(input), answers, login).readRequest();
      if (to.host().isEmpty() || to.port() == 0) {
        throw new IllegalStateException("nowhere: " + to);
      }
      return true;
    } catch (IOException refused) {
      return false;
    }
  }

  private SocksTarget() {}
}
