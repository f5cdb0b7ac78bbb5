package io.rmigate.protocol.jrmp.message;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.jrmp.BigEndian;
import io.rmigate.protocol.jrmp.CallBytes;
import io.rmigate.protocol.jrmp.Damage;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.GoldenMessages;
import io.rmigate.protocol.jrmp.GraphCorpus;
import io.rmigate.protocol.jrmp.GrowingReturn;
import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.jrmp.MessageEnd;
import io.rmigate.protocol.jrmp.MessageGrammar;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.StreamTokens;
import io.rmigate.protocol.jrmp.VmIdentifier;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * What a message makes a decoder allocate follows from its length alone, not from its content: a
 * multiple of that, and a little for what every message costs. Counted for the decoding thread.
 */
class DecoderMemoryTest {
  private static final int ROUNDS = 40_000;
  private static final int LARGEST_SEED = 3000;

  /** The densest honest thing is an object of six bytes, for which a few of ours are made. */
  private static final int MULTIPLE = 40;

  /** An exception with its stack trace, and first sizes of tables. */
  private static final int EVERY_MESSAGE = 64 * 1024;

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private interface Decoder {
    void decode(byte[] message) throws IOException;
  }

  private interface Content {
    void writeTo(DataOutputStream out) throws IOException;
  }

  private static final List<Decoder> DECODERS =
      List.of(
          m -> MessageGrammar.endOfRequest(m, 0, m.length),
          m -> MessageGrammar.endOfReply(m, 0, m.length),
          m -> MessageGrammar.spellsAnotherCall(m, 0, m.length),
          m -> CallHeader.decode(m, 0, m.length),
          m -> ReturnHeader.decode(m, 0, m.length),
          m -> RegistryCall.isForRegistry(m, 0, m.length),
          m -> RegistryCall.decode(m, 0, m.length),
          m -> DgcCall.isForCollector(m, 0, m.length),
          m -> DgcCall.decode(m, 0, m.length),
          m -> LeaseReturn.decode(m, 0, m.length),
          m -> LeaseReturn.expectNothing(m, 0, m.length),
          m -> ExceptionalReturn.exceptionClass(m, 0, m.length),
          m -> EndpointId.decode(m, 0, m.length),
          m -> LiveReferenceScan.scan(m, 0, m.length),
          DecoderMemoryTest::growing,
          m -> inPieces(m, 1),
          m -> inPieces(m, 100));

  /** A few bytes refer to one long string, again and again. */
  @Test
  void fieldsThatShareATypeStringCostNoMoreThanTheirBytes() {
    expectBounded(call(DecoderMemoryTest::fieldsOfOneLongType));
    expectBounded(leaseReturn(DecoderMemoryTest::fieldsOfOneLongType));
  }

  @Test
  void objectsThatShareAClassCostNoMoreThanTheirBytes() {
    Content objects =
        out -> {
          String longName = "x".repeat(60_000);
          out.writeByte(StreamTokens.TC_OBJECT);
          descriptor(out, longName, 1, 0);
          for (int i = 0; i < 5_000; i++) {
            out.writeByte(StreamTokens.TC_OBJECT);
            reference(out, 0);
          }
        };
    expectBounded(call(objects));
    expectBounded(leaseReturn(objects));
  }

  @Test
  void hostsThatShareTheirBytesCostNoMoreThanThose() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int nested = 3_000;
    int each = 5 + 2 + 10 + 2;
    for (int i = nested - 1; i >= 0; i--) {
      int host = i * each;
      byte[] name = "UnicastRef".getBytes(java.nio.charset.StandardCharsets.US_ASCII);
      byte[] unit = new byte[each];
      unit[0] = StreamTokens.TC_BLOCKDATALONG;
      BigEndian.putInt32(unit, 1, 2 + 10 + 2 + host + 4 + Jrmp.OBJ_ID_BYTES + 1);
      unit[6] = 10;
      System.arraycopy(name, 0, unit, 7, 10);
      BigEndian.putInt16(unit, 17, (short) host);
      bytes.writeBytes(unit);
    }
    bytes.writeBytes(new byte[] {0, 0, 4, 0});
    bytes.writeBytes(new byte[Jrmp.OBJ_ID_BYTES + 1]);
    bytes.write(StreamTokens.TC_ENDBLOCKDATA);
    byte[] message = bytes.toByteArray();
    assertThat(LiveReferenceScan.scan(message, 0, message.length)).isNotEmpty();
    expectBounded(message);
  }

  @Test
  void smallestPartsCostNoMoreThanAMultipleOfTheirBytes() {
    List<Content> all =
        List.of(
            out -> out.write(filled(100_000, StreamTokens.TC_NULL)),
            out -> repeat(out, 30_000, StreamTokens.TC_BLOCKDATA, 0),
            out -> repeat(out, 30_000, StreamTokens.TC_STRING, 0, 0),
            out -> {
              out.writeByte(StreamTokens.TC_ARRAY);
              descriptor(out, "[B", DgcClasses.SHAPES.get("[B").suid(), 0);
              out.writeInt(0);
              for (int i = 0; i < 9_000; i++) {
                out.writeByte(StreamTokens.TC_ARRAY);
                reference(out, 0);
                out.writeInt(0);
              }
            },
            out -> {
              out.writeByte(StreamTokens.TC_ARRAY);
              String ids = DgcClasses.ID_ARRAY;
              descriptor(out, ids, DgcClasses.SHAPES.get(ids).suid(), 0);
              out.writeInt(100_000);
              out.write(filled(100_000, StreamTokens.TC_NULL));
            },
            out -> {
              for (int i = 0; i < 8_000; i++) {
                out.writeByte(StreamTokens.TC_CLASS);
                descriptor(out, "", i, 0);
              }
            },
            out -> {
              for (int i = 0; i < 4_000; i++) { // each in the annotation of the one before
                out.writeByte(i == 0 ? StreamTokens.TC_CLASS : StreamTokens.TC_NULL);
                out.writeByte(StreamTokens.TC_CLASSDESC);
                out.writeShort(0);
                out.writeLong(i);
                out.writeByte(StreamTokens.SC_SERIALIZABLE);
                out.writeShort(0);
              }
            });
    for (Content content : all) {
      expectBounded(call(content));
      expectBounded(leaseReturn(content));
    }
  }

  @Test
  void damageCostsNoMoreThanAMultipleOfTheBytes() {
    List<byte[]> seeds = new ArrayList<>();
    seeds.add(HexFormat.of().parseHex(GoldenMessages.DIRTY));
    seeds.add(HexFormat.of().parseHex(GoldenMessages.LOOKUP_SAMPLE));
    VmIdentifier client = new VmIdentifier(1, 2, 3, (short) 4);
    seeds.add(LeaseReturn.encode(client, 5));
    ObjIdentifier object = new ObjIdentifier(1, 2, 3, (short) 4);
    List<ObjIdentifier> objects = List.of(object, ObjIdentifier.REGISTRY);
    seeds.add(new DgcCall.Clean(objects, 3, client, true).encode());
    seeds.add(call(DecoderMemoryTest::fewFieldsOfOneType));
    for (Object graph : GraphCorpus.graphs().values()) {
      byte[] call = CallBytes.callWith(graph);
      byte[] reply = CallBytes.normalReturn(out -> out.writeObject(graph));
      for (byte[] seed : List.of(call, reply)) {
        if (seed.length <= LARGEST_SEED) {
          seeds.add(seed);
        }
      }
    }
    Random random = new Random(20_261_121);
    for (int round = 0; round < ROUNDS; round++) {
      expectBounded(Damage.of(seeds, random));
    }
  }

  private void expectBounded(byte[] message) {
    long bound = EVERY_MESSAGE + (long) MULTIPLE * message.length;
    for (Decoder decoder : DECODERS) {
      if (allocated(decoder, message) > bound) {
        long again = Long.MAX_VALUE; // the first times may have loaded classes and linked code
        for (int time = 0; time < 5; time++) {
          again = Math.min(again, allocated(decoder, message));
        }
        byte[] head = Arrays.copyOf(message, Math.min(message.length, 200));
        assertThat(again)
            .as("decoder %d: %s", DECODERS.indexOf(decoder), HexFormat.of().formatHex(head))
            .isLessThanOrEqualTo(bound);
      }
    }
  }

  private long allocated(Decoder decoder, byte[] message) {
    long before = threads.getCurrentThreadAllocatedBytes();
    try {
      decoder.decode(message);
    } catch (ProtocolViolationException | EOFException expected) {
      assertThat(expected.getMessage().length()).isLessThan(1000);
    } catch (IOException other) {
      throw new AssertionError(other);
    }
    return threads.getCurrentThreadAllocatedBytes() - before;
  }

  private static void growing(byte[] message) {
    GrowingReturn growing = new GrowingReturn();
    for (int length = 1; length <= message.length; length++) {
      if (!(growing.end(message, length) instanceof MessageEnd.Truncated)) {
        return;
      }
    }
  }

  private static void inPieces(byte[] message, int piece) {
    LiveReferenceStream stream = new LiveReferenceStream(reference -> {});
    for (int at = 0; at < message.length; at += piece) {
      stream.onBytes(message, at, Math.min(piece, message.length - at));
    }
  }

  /** A Call of the collector with the contents behind its header. */
  private static byte[] call(Content contents) {
    return message(
        Jrmp.CALL,
        out -> {
          out.writeByte(Jrmp.CALL_HEADER_BYTES);
          out.write(ObjIdentifier.DGC.encode());
          out.writeInt(1);
          out.writeLong(DgcCall.INTERFACE_HASH);
          contents.writeTo(out);
        });
  }

  private static byte[] leaseReturn(Content contents) {
    return message(
        Jrmp.RETURN,
        out -> {
          out.writeByte(Jrmp.RETURN_HEADER_BYTES);
          out.writeByte(Jrmp.NORMAL_RETURN);
          out.write(new byte[Jrmp.UID_BYTES]);
          contents.writeTo(out);
        });
  }

  private static byte[] message(int code, Content rest) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    try {
      out.writeByte(code);
      out.writeInt(StreamTokens.STREAM_HEADER);
      out.writeByte(StreamTokens.TC_BLOCKDATA);
      rest.writeTo(out);
    } catch (IOException impossible) {
      throw new AssertionError(impossible);
    }
    return bytes.toByteArray();
  }

  private static void fieldsOfOneLongType(DataOutputStream out) throws IOException {
    fieldsOfOneType(out, 3_500, 30_000);
  }

  private static void fewFieldsOfOneType(DataOutputStream out) throws IOException {
    fieldsOfOneType(out, 50, 300);
  }

  private static void fieldsOfOneType(DataOutputStream out, int fields, int typeBytes)
      throws IOException {
    out.writeByte(StreamTokens.TC_OBJECT);
    out.writeByte(StreamTokens.TC_CLASSDESC);
    out.writeUTF("x");
    out.writeLong(1);
    out.writeByte(StreamTokens.SC_SERIALIZABLE);
    out.writeShort(fields);
    for (int i = 0; i < fields; i++) {
      out.writeByte('L');
      out.writeUTF("");
      if (i == 0) {
        out.writeByte(StreamTokens.TC_STRING);
        out.writeUTF("L".repeat(typeBytes));
      } else {
        reference(out, 1);
      }
    }
    out.writeByte(StreamTokens.TC_ENDBLOCKDATA);
    out.write(filled(1 + fields, StreamTokens.TC_NULL)); // no superclass, and the values
  }

  private static void descriptor(DataOutputStream out, String name, long suid, int fields)
      throws IOException {
    out.writeByte(StreamTokens.TC_CLASSDESC);
    out.writeUTF(name);
    out.writeLong(suid);
    out.writeByte(StreamTokens.SC_SERIALIZABLE);
    out.writeShort(fields);
    out.writeByte(StreamTokens.TC_ENDBLOCKDATA);
    out.writeByte(StreamTokens.TC_NULL);
  }

  private static void reference(DataOutputStream out, int handle) throws IOException {
    out.writeByte(StreamTokens.TC_REFERENCE);
    out.writeInt(StreamTokens.BASE_WIRE_HANDLE + handle);
  }

  private static void repeat(DataOutputStream out, int times, int... part) throws IOException {
    for (int i = 0; i < times; i++) {
      for (int one : part) {
        out.writeByte(one);
      }
    }
  }

  private static byte[] filled(int count, int value) {
    byte[] bytes = new byte[count];
    Arrays.fill(bytes, (byte) value);
    return bytes;
  }
}
