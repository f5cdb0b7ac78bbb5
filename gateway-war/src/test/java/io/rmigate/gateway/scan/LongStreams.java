package io.rmigate.gateway.scan;

import io.rmigate.gateway.scan.shape.Shape;
import io.rmigate.gateway.scan.shape.Shapes;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Calls of 1 to 16 MiB, of as many small things as have room: what a scan remembers for each of
 * them shows against the length of the stream only there. One kind of thing all through, or a
 * mixture; some are damaged somewhere.
 */
final class LongStreams {
  private static final int LEAST_BYTES = 1 << 20;
  private static final int MOST_BYTES = 1 << 24;

  /** As deep as a call may be, and not deeper than the grammar goes. */
  private static final int NESTED = 16;

  private final Random random;

  /** What begins each stream: one object of each class, whose descriptors the things refer to. */
  private final byte[] beginning;

  private final List<byte[]> things = new ArrayList<>();

  LongStreams(Random random) {
    this.random = random;
    HandWritten out = HandWritten.call();
    int number = out.handles();
    out.object().descriptor(shape("java.util.concurrent.atomic.AtomicBoolean")).nothing();
    out.data().int32(1);
    things.add(HandWritten.bytes().object().reference(number).data().int32(0).toByteArray());
    int list = out.handles();
    out.object()
        .descriptor(shape("java.util.ArrayList"))
        .nothing()
        .data()
        .int32(0)
        .block(new byte[4]);
    out.end();
    things.add(lists(list, 1));
    things.add(lists(list, NESTED));
    int set = out.handles();
    out.object().descriptor(shape("java.util.HashSet")).nothing().data();
    byte[] capacity = HandWritten.bytes().int32(16).int32(0x3F400000).int32(0).toByteArray();
    out.block(capacity).end();
    things.add(
        HandWritten.bytes()
            .object()
            .reference(set)
            .data()
            .block(capacity)
            .nothing()
            .end()
            .toByteArray());
    int bytes = out.handles();
    out.array().descriptor("[B", 1, 2, List.of()).nothing().data().int32(0);
    things.add(HandWritten.bytes().array().reference(bytes).data().int32(0).toByteArray());
    things.add(HandWritten.bytes().nothing().toByteArray());
    things.add(HandWritten.bytes().string("").toByteArray());
    things.add(HandWritten.bytes().reference(0).toByteArray());
    things.add(HandWritten.bytes().block((byte) 1).toByteArray());
    beginning = out.toByteArray();
  }

  private static Shape shape(String name) {
    return Shapes.ofJdk().all().stream()
        .filter(shape -> shape.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no shape of " + name));
  }

  /** {@code count} lists within each other, each with an element. */
  private static byte[] lists(int descriptor, int count) {
    HandWritten out = HandWritten.bytes();
    for (int i = 0; i < count; i++) {
      out.object().reference(descriptor).data().int32(1).block(new byte[4]);
    }
    out.nothing();
    for (int i = 0; i < count; i++) {
      out.end();
    }
    return out.toByteArray();
  }

  /** The next Call. */
  byte[] next() {
    int length = LEAST_BYTES + random.nextInt(MOST_BYTES - LEAST_BYTES);
    ByteArrayOutputStream out = new ByteArrayOutputStream(length + beginning.length);
    out.writeBytes(beginning);
    boolean mixed = random.nextBoolean();
    byte[] thing = anyThing();
    while (out.size() < length) {
      out.writeBytes(thing);
      thing = mixed ? anyThing() : thing;
    }
    byte[] call = out.toByteArray();
    if (random.nextInt(4) == 0) {
      call[beginning.length + random.nextInt(call.length - beginning.length)] =
          (byte) random.nextInt();
    }
    return call;
  }

  private byte[] anyThing() {
    return things.get(random.nextInt(things.size()));
  }
}
