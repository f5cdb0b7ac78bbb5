package io.rmigate.gateway.scan.shape;

import java.util.Set;

/**
 * Methods of the JDK that may be given the stream as an argument. All others may keep it, or call
 * with it what an application has written. The methods that read do so until the stream fails, and
 * catch nothing. Read in the sources of JDK 8, 17 and 25.
 */
final class HarmlessCalls {
  private static final Set<String> HAND_BACK = Set.of("java/util/Objects.requireNonNull");

  private static final Set<String> READ =
      Set.of(
          "java/io/DataInputStream.readUTF",
          "java/rmi/server/ObjID.read",
          "java/rmi/server/UID.read");

  private HarmlessCalls() {}

  /** Whether a method does nothing with the stream that a proof would have to know. */
  static boolean has(String owner, String name) {
    return handsBack(owner, name) || READ.contains(owner + '.' + name);
  }

  /** Whether what it returns is what it was given. */
  static boolean handsBack(String owner, String name) {
    return HAND_BACK.contains(owner + '.' + name);
  }
}
