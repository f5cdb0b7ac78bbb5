package io.rmigate.gateway.policy;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The section {@code classes}: what holds for all targets.
 *
 * @param mode empty: there is no such section, and calls are looked into only where an entry of
 *     {@code targets} says so
 * @param allow behind those of the entries
 * @param opaque names of classes whose data are not looked into
 * @param interfaces a directory of jars with the remote interfaces and what they carry
 * @param callLimit bytes of one call
 */
public record ClassSettings(
    Optional<ClassMode> mode,
    List<ClassPattern> allow,
    List<String> opaque,
    Optional<Path> interfaces,
    int callLimit) {

  /** Bytes of one call, unless something else is said. */
  public static final int CALL_LIMIT = 16 << 20;

  /** Without that section. */
  public static final ClassSettings NONE =
      new ClassSettings(Optional.empty(), List.of(), List.of(), Optional.empty(), CALL_LIMIT);

  /** Its own lists. */
  public ClassSettings {
    allow = List.copyOf(allow);
    opaque = List.copyOf(opaque);
  }
}
