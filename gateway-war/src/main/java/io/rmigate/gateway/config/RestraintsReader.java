package io.rmigate.gateway.config;

import io.rmigate.gateway.config.ConfigNode.Entry;
import io.rmigate.gateway.config.ConfigNode.Mapping;
import io.rmigate.gateway.config.ConfigNode.Nothing;
import io.rmigate.gateway.config.ConfigNode.Scalar;
import io.rmigate.gateway.limit.CallLimits;
import io.rmigate.gateway.limit.LockoutSettings;
import io.rmigate.gateway.route.Restraints;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Reads {@code limits}, those in entries of {@code targets} too, and {@code lockout}. */
final class RestraintsReader {
  private static final String LIMITS = "limits";

  private final ConfigValues values;

  RestraintsReader(ConfigValues values) {
    this.values = values;
  }

  Restraints restraints() {
    values.section("lockout");
    return new Restraints(
        limits(
            values.root(),
            "",
            ConfigKey.LIMITS_CALLS_PER_SECOND,
            ConfigKey.LIMITS_BURST,
            ConfigKey.LIMITS_CALLS_IN_PROGRESS,
            ConfigKey.LIMITS_BYTES_PER_SECOND),
        new LockoutSettings(
            values.count(ConfigKey.LOCKOUT_AFTER),
            values.duration(ConfigKey.LOCKOUT_WITHIN),
            values.duration(ConfigKey.LOCKOUT_LASTS)));
  }

  /** Limits of an entry of {@code targets}. */
  CallLimits ofTarget(Mapping item, String at) {
    return limits(
        item,
        at + ".",
        ConfigKey.TARGETS_LIMITS_CALLS_PER_SECOND,
        ConfigKey.TARGETS_LIMITS_BURST,
        ConfigKey.TARGETS_LIMITS_CALLS_IN_PROGRESS,
        ConfigKey.TARGETS_LIMITS_BYTES_PER_SECOND);
  }

  private CallLimits limits(
      Mapping parent,
      String at,
      ConfigKey callsPerSecond,
      ConfigKey burst,
      ConfigKey callsInProgress,
      ConfigKey bytesPerSecond) {
    Entry section = parent.entries().get(LIMITS);
    if (section == null || section.value() instanceof Nothing) {
      return CallLimits.NONE;
    }
    String path = at + LIMITS;
    if (!(section.value() instanceof Mapping limits)) {
      values.problem(
          section.value().origin(),
          path,
          "expected keys with values, found " + section.value().kind());
      return CallLimits.NONE;
    }
    Entry lone = limits.entries().get(burst.lastName());
    if (lone != null && !limits.entries().containsKey(callsPerSecond.lastName())) {
      values.problem(
          lone.keyOrigin(),
          path + "." + burst.lastName(),
          "has no effect without calls-per-second");
    }
    return new CallLimits(
        number(limits, callsPerSecond, path),
        number(limits, burst, path),
        number(limits, callsInProgress, path),
        number(limits, bytesPerSecond, path));
  }

  /** A count, or a size in bytes. */
  private OptionalInt number(Mapping limits, ConfigKey key, String at) {
    Entry entry = limits.entries().get(key.lastName());
    if (entry == null) {
      return OptionalInt.empty();
    }
    OptionalLong number = OptionalLong.empty();
    if (entry.value() instanceof Scalar value) {
      String text = value.text().strip();
      if (key.allowed().shape() == Allowed.Shape.SIZE) {
        number = Units.bytes(text);
      } else if (text.matches("\\d{1,9}")) {
        number = OptionalLong.of(Long.parseLong(text));
      }
    }
    if (number.isPresent()
        && number.getAsLong() >= key.allowed().min()
        && number.getAsLong() <= key.allowed().max()) {
      return OptionalInt.of((int) number.getAsLong());
    }
    values.problem(
        entry.value().origin(),
        at + "." + key.lastName(),
        entry.value().kind() + " is not valid; allowed: " + key.allowed().text());
    return OptionalInt.empty();
  }
}
