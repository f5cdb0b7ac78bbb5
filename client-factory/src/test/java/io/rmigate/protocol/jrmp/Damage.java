package io.rmigate.protocol.jrmp;

import java.util.List;
import java.util.Random;

/** Bytes that were changed, cut, repeated or moved, in ways that keep some of them meaningful. */
public final class Damage {

  /** One of the seeds, with one to four pieces of damage; rarely before its first argument. */
  public static byte[] of(List<byte[]> seeds, Random random) {
    byte[] seed = seeds.get(random.nextInt(seeds.size()));
    byte[] bytes = seed.clone();
    int header = random.nextInt(8) == 0 ? 0 : 41;
    for (int n = 1 + random.nextInt(4); n > 0 && bytes.length > header; n--) {
      int at = header + random.nextInt(bytes.length - header);
      switch (random.nextInt(6)) {
        case 0 -> bytes[at] = (byte) random.nextInt(256);
        case 1 -> bytes[at] = (byte) (0x70 + random.nextInt(15));
        case 2 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
        case 3 -> bytes = replaced(bytes, at, at + random.nextInt(bytes.length - at + 1), seed, 0);
        case 4 -> {
          byte[] other = seeds.get(random.nextInt(seeds.size()));
          bytes = replaced(bytes, at, at, other, Math.min(other.length, 1 + random.nextInt(80)));
        }
        default -> {
          // A handle, a length or a count
          for (int i = at; i < Math.min(bytes.length, at + 4); i++) {
            bytes[i] = (byte) (random.nextBoolean() ? 0 : random.nextInt(256));
          }
        }
      }
    }
    return bytes;
  }

  private static byte[] replaced(byte[] bytes, int from, int to, byte[] other, int count) {
    byte[] result = new byte[from + count + bytes.length - to];
    System.arraycopy(bytes, 0, result, 0, from);
    System.arraycopy(other, other.length - count, result, from, count);
    System.arraycopy(bytes, to, result, from + count, bytes.length - to);
    return result;
  }

  private Damage() {}
}
