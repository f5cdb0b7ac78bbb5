package io.rmigate.client.pac;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** PAC files. */
public final class PacTarget {
  /** The number of looks at the clock after which an evaluation has to end. */
  private static final int PATIENCE = 8;

  /** Has an answer, or says in words what is wrong. */
  public static void fuzzerTestOneInput(byte[] input) {
    PacBed world = new PacBed().name("gw.example", "203.0.113.9");
    world.patience = PATIENCE;
    try {
      PacScript.parse("proxy.pac", new String(input, StandardCharsets.UTF_8))
          .findProxy("https://gw.example/", "gw.example", world);
    } catch (IOException wrong) {
      if (wrong.getMessage() == null || wrong.getMessage().isBlank()) {
        throw new IllegalStateException("nothing said", wrong);
      }
    }
    if (world.looksAtTheClock > PATIENCE + 1) {
      throw new IllegalStateException("went on though its time was over");
    }
  }

  private PacTarget() {}
}
