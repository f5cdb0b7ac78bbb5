package io.rmigate.protocol.coding;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** The compression mode of a side. */
public enum Compression {
  /** All data that gets shorter is coded. */
  ON,
  /** No coding is offered, or taken. */
  OFF,
  /** The agent decides by what it has measured of the link, for both directions. */
  AUTO;

  /** As written in configurations. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The mode of that {@link #text}. */
  public static Optional<Compression> of(String text) {
    return Arrays.stream(values()).filter(mode -> mode.text().equals(text)).findFirst();
  }

  /** All texts, for messages: {@code on, off, auto}. */
  public static String allTexts() {
    return Arrays.stream(values()).map(Compression::text).collect(Collectors.joining(", "));
  }
}
