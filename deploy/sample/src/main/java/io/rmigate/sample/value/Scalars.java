package io.rmigate.sample.value;

import io.rmigate.sample.Planet;
import java.io.Serializable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.UUID;

/** A record with a component of each plain type; those that are no primitives may be null. */
public record Scalars(
    boolean z,
    byte b,
    short s,
    char c,
    int i,
    long j,
    float f,
    double d,
    Boolean flag,
    Integer boxed,
    Long missing,
    String text,
    BigInteger large,
    BigDecimal exact,
    Planet planet,
    UUID id)
    implements Serializable {

  /** The next one of each, by a rule that shows whether it was understood. Nothing stays null. */
  public Scalars next() {
    return new Scalars(
        !z,
        (byte) (b + 1),
        (short) (s + 1),
        (char) (c + 1),
        i + 1,
        j + 1,
        f / 2,
        d / 2,
        !flag,
        boxed + 1,
        missing == null ? null : missing + 1,
        text + "!",
        large.add(BigInteger.ONE),
        exact.add(exact),
        planet == Planet.EARTH ? Planet.SATURN : Planet.EARTH,
        new UUID(id.getMostSignificantBits(), id.getLeastSignificantBits() + 1));
  }
}
