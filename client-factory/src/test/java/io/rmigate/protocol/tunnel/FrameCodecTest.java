package io.rmigate.protocol.tunnel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** PROTOCOL.md section 5: every frame in hex, both ways, in bulk and one byte at a time. */
public class FrameCodecTest {
  private static final RegistryName NAME = new RegistryName(new EndpointId("a.b", 1099), "nm");
  private static final byte[] SECRET = new byte[SessionToken.BYTES];

  /** Frames of all types. */
  public static Stream<Frame> samples() {
    return frames().map(arguments -> (Frame) arguments.get()[1]);
  }

  static Stream<Arguments> frames() {
    return Stream.of(
        Arguments.of(
            "01 00 20" // HELLO on stream 0, 32 bytes
                + "524d4947 01 01 00" // magic, versions 1 to 1, no features
                + "00 00 808010" // no session, received 0, credit 262144
                + "01 08 6964656e74697479" // one coding: identity
                + "01 06 636c69656e74 01 78", // one property: client=x
            new Hello(
                1,
                1,
                Set.of(),
                SessionToken.NONE,
                0,
                262144,
                List.of("identity"),
                Map.of("client", "x"))),
        Arguments.of(
            "02 00 33" // WELCOME, 51 bytes
                + "01 01 20" // version 1, feature RESUME, token of 32 bytes
                + "00".repeat(32)
                + "07 8004 64 9875" // received 7, credit 512, 100 streams, heartbeat 15000 ms
                + "08 6964656e74697479 00", // identity, no properties
            new Welcome(
                1,
                Set.of(Feature.RESUME),
                SessionToken.of(SECRET),
                7,
                512,
                100,
                Duration.ofSeconds(15),
                "identity",
                Map.of())),
        Arguments.of("03 00 04 01 02 6e6f", new Goodbye(CloseCause.PROTOCOL_VIOLATION, "no")),
        Arguments.of("04 00 02 ac02", new Heartbeat(300)),
        Arguments.of("05 00 01 05", new HeartbeatAck(5)),
        Arguments.of("06 00 02 80 01", new Ack(128)),
        Arguments.of("07 00 02 904e", new Drain(Duration.ofSeconds(10))),
        Arguments.of("09 00 00", new Leaving()),
        Arguments.of("08 00 08 09 ac02 03 04 05 06 07", new Report(9, 300, 3, 4, 5, 6, 7)),
        Arguments.of(
            "10 05 0a 03 612e62 044b 8827 e05d", // OPEN stream 5: a.b:1099, 5 s, 12 s
            new Open(5, "a.b", 1099, Duration.ofSeconds(5), Duration.ofSeconds(12))),
        Arguments.of("11 8101 03 515253", new Data(129, false, bytes("515253"))),
        Arguments.of("12 03 00", new Data(3, true, new byte[0])),
        Arguments.of("13 03 01 02", new ReturnEnd(3, 2)),
        Arguments.of("14 03 04 01 00 01 78", new Refused(3, 1, RefusalReason.UNKNOWN_HOST, "x")),
        Arguments.of("15 03 03 808008", new Credit(3, 131072)),
        Arguments.of("16 03 01 0b", new Close(3, CloseCause.BAD_REQUEST)),
        Arguments.of("17 03 03 02 d00f", new Deadline(3, 2, Duration.ofSeconds(2))),
        Arguments.of(
            "18 05 08 03 612e62 044b 8827", // OPEN_RAW stream 5: a.b:1099, 5 s
            new OpenRaw(5, "a.b", 1099, Duration.ofSeconds(5))),
        Arguments.of("19 03 03 ac02 01", new Sequence(3, 300, true)),
        Arguments.of("19 03 02 07 00", new Sequence(3, 7, false)),
        Arguments.of(
            "20 00 33 05 03 612e62 044b" // DIRTY asking 5: a.b:1099, two objects
                + "000000000000002a 00000001 0000000000000002 0003"
                + "ffffffffffffffff 00000001 0000000000000002 8000",
            new Dirty(
                5,
                new EndpointId("a.b", 1099),
                List.of(
                    new ObjIdentifier(42, 1, 2, (short) 3),
                    new ObjIdentifier(-1, 1, 2, Short.MIN_VALUE)))),
        Arguments.of(
            "21 00 1c 03 612e62 044b 000000000000002a 00000001 0000000000000002 0003",
            new Clean(
                new EndpointId("a.b", 1099), List.of(new ObjIdentifier(42, 1, 2, (short) 3)))),
        Arguments.of(
            "22 00 14 03 612e62 044b 0102030405060708090a0b0c0d0e",
            new DgcAck(new EndpointId("a.b", 1099), bytes("0102030405060708090a0b0c0d0e"))),
        Arguments.of("23 00 04 05 01 01 78", new Leased(5, Leased.Outcome.REFUSED, "x")),
        Arguments.of(
            "28 00 0b 05 01 03 612e62 044b 02 6e6d", // LOOKUP 5, fresh: a.b:1099, name nm
            new Lookup(5, true, NAME)),
        Arguments.of("29 00 04 05 07 5152", new Bound(5, 7, Optional.empty(), bytes("5152"))),
        Arguments.of(
            "29 00 0d 00 07 03 612e62 044b 02 6e6d 5152",
            new Bound(0, 7, Optional.of(NAME), bytes("5152"))),
        Arguments.of(
            "2a 00 04 05 04 01 78", Unbound.answer(5, UnboundReason.TARGET_NOT_PERMITTED, "x")),
        Arguments.of("2a 00 05 05 06 00 5152", Unbound.notBound(5, bytes("5152"))),
        Arguments.of(
            "2a 00 0c 00 03 612e62 044b 02 6e6d 09 00", Unbound.push(NAME, UnboundReason.GONE)),
        Arguments.of("2b 00 02 ac02", new Forgot(300)),
        Arguments.of("30 00 04 ac02 9c41", new Listen(300, 40001)),
        Arguments.of("31 00 06 ac02 00 9c41 00", Listening.on(300, 40001)),
        Arguments.of(
            "31 00 06 05 02 0000 01 78",
            Listening.refused(5, Listening.Outcome.NOT_PERMITTED, "x")),
        Arguments.of("32 00 02 ac02", new Unlisten(300)),
        Arguments.of(
            "33 00 0b ac02 8101 04 0a000102 c001", // stream 300, listener 129: 10.0.1.2:49153
            new Accept(300, 129, address("0a000102"), 49153)),
        Arguments.of(
            "33 00 15 02 01 10 20010db8000000000000000000000001 c001", // [2001:db8::1]:49153
            new Accept(2, 1, address("20010db8000000000000000000000001"), 49153)),
        Arguments.of(
            "34 00 17 05 000000000000002a 00000001 0000000000000002 0003",
            new Hold(5, List.of(new ObjIdentifier(42, 1, 2, (short) 3)))),
        Arguments.of(
            "35 00 17 05 000000000000002a 00000001 0000000000000002 0003",
            new Release(5, List.of(new ObjIdentifier(42, 1, 2, (short) 3)))),
        Arguments.of(
            "38 00 09 03 612e62 044b 00 5152", // GRANT of a.b:1099
            new Grant(new EndpointId("a.b", 1099), List.of(), bytes("5152"))),
        Arguments.of(
            "38 00 23 03 612e62 044b 01 0001" // of one object there
                + "00000001 0000000000000002 0001 000000000000002a 0003 5152",
            new Grant(
                new EndpointId("a.b", 1099),
                List.of(new ObjIdentifier(42, 1, 2, (short) 3)),
                bytes("5152"))),
        Arguments.of(
            "38 00 45 03 612e62 044b 01 0003" // of three there, of which two have most in common
                + "00000001 0000000000000002 0002 000000000000002a 0003 000000000000002b 8004"
                + "00000001 0000000000000005 0001 000000000000002c 0006 5152",
            new Grant(
                new EndpointId("a.b", 1099),
                List.of(
                    new ObjIdentifier(42, 1, 2, (short) 3),
                    new ObjIdentifier(43, 1, 2, (short) 0x8004),
                    new ObjIdentifier(44, 1, 5, (short) 6)),
                bytes("5152"))),
        Arguments.of("40 00 03 010203", new Coded(false, bytes("010203"))),
        Arguments.of("41 00 00", new Coded(true, new byte[0])),
        Arguments.of("42 00 01 01", new Coding(true)));
  }

  @ParameterizedTest
  @MethodSource("frames")
  void everyFrameIsWrittenAsThePageSays(String hex, Frame frame) {
    FrameOutput out = new FrameOutput(0);
    out.append(frame);
    assertThat(HexFormat.of().formatHex(out.toByteArray())).isEqualTo(hex.replace(" ", ""));
  }

  @ParameterizedTest
  @MethodSource("frames")
  void everyFrameIsReadInBulkAndOneByteAtATime(String hex, Frame frame) throws IOException {
    byte[] wire = bytes(hex + hex);
    assertThat(readAll(wire, wire.length)).hasSize(2).allSatisfy(read -> assertSame(read, frame));
    assertThat(readAll(wire, 1)).hasSize(2).allSatisfy(read -> assertSame(read, frame));
  }

  @ParameterizedTest
  @MethodSource("frames")
  void aFrameCutAnywhereIsNoFrameYet(String hex, Frame frame) throws IOException {
    byte[] wire = bytes(hex);
    for (int cut = 1; cut < wire.length; cut++) {
      List<Frame> read = new ArrayList<>();
      FrameReader reader = new FrameReader(read::add);
      reader.feed(wire, 0, cut);
      assertThat(read).isEmpty();
      assertThat(reader.atFrameBoundary()).isFalse();
      reader.feed(ByteBuffer.wrap(wire, cut, wire.length - cut));
      assertThat(read).hasSize(1);
      assertThat(reader.atFrameBoundary()).isTrue();
    }
  }

  static Stream<Arguments> violations() {
    return Stream.of(
        Arguments.of("00 00 00", "got 0x00"), // unknown type
        Arguments.of("06 00 00", "one byte in the body, got 0"),
        Arguments.of("20 01 00", "DIRTY on stream 0, got stream 0x1"),
        Arguments.of("20 00 05 00 01 61 044b", "1 to 512 ObjIDs of 22 bytes, got 0"),
        Arguments.of("21 00 05 01 61 044b 00", "1 to 512 ObjIDs of 22 bytes, got 1"),
        Arguments.of("21 00 1a 01 61 0000" + "00".repeat(22), "a port"),
        Arguments.of("22 00 05 01 61 044b 00", "14 bytes"),
        Arguments.of("23 00 03 05 03 00", "outcome of a dirty, got 0x03"),
        Arguments.of("28 01 00", "LOOKUP on stream 0, got stream 0x1"),
        Arguments.of("28 00 08 00 00 01 61 044b 01 6e", "a number from 1"),
        Arguments.of("28 00 08 01 02 01 61 044b 01 6e", "flags up to 1, got 1 and 0x02"),
        Arguments.of("28 00 07 01 00 00 044b 01 6e", "a host"),
        Arguments.of("29 00 03 05 00 51", "a binding from 1"),
        Arguments.of("29 00 02 05 07", "a Return, got none"),
        Arguments.of("2a 00 03 05 0a 00", "a reason of UNBOUND, got 0x0a"),
        Arguments.of("2a 00 03 05 08 00", "CHANGED, got number 5"),
        Arguments.of("2a 00 08 00 01 61 044b 00 07 00", "NOT_CACHEABLE, got number 0"),
        Arguments.of("2a 00 03 05 06 00", "NOT_BOUND, got number 5 and a Return of 0 bytes"),
        Arguments.of("2a 00 04 05 00 00 51", "UNKNOWN_HOST, got number 5 and a Return of 1"),
        Arguments.of("30 00 03 00 9c41", "the number of a listener from 1"),
        Arguments.of("31 00 05 01 05 0000 00", "outcome of a listen, got 0x05"),
        Arguments.of("31 00 05 01 00 0000 00", "a port exactly with LISTENING, got LISTENING"),
        Arguments.of(
            "31 00 05 01 01 0001 00", "exactly with LISTENING, got PORT_IN_USE and port 1"),
        Arguments.of("32 01 01 01", "UNLISTEN on stream 0, got stream 0x1"),
        Arguments.of("33 00 09 03 01 04 0a000102 c001", "an even stream number from 2, got 3"),
        Arguments.of("33 00 09 00 01 04 0a000102 c001", "an even stream number from 2, got 0"),
        Arguments.of("33 00 08 02 01 03 0a0001 c001", "an address of 4 or 16 bytes, got 3"),
        Arguments.of("33 00 09 02 01 04 7f000001 c001", "no loopback address"),
        Arguments.of("34 00 01 05", "1 to 512 ObjIDs of 22 bytes, got 0"),
        Arguments.of("35 00 02 05 00", "1 to 512 ObjIDs of 22 bytes, got 1"),
        Arguments.of("38 01 00", "GRANT on stream 0, got stream 0x1"),
        Arguments.of("38 00 06 01 61 0000 00 51", "a port"),
        Arguments.of("38 00 06 01 61 044b 02 51", "an endpoint or of objects, got 0x02"),
        Arguments.of("38 00 05 01 61 044b 00", "1 to 4096 sealed bytes, got 0"),
        Arguments.of("38 00 07 01 61 044b 01 0000", "1 to 400 objects, got 0"),
        Arguments.of("38 00 07 01 61 044b 01 0191", "1 to 400 objects, got 401"),
        Arguments.of(
            "38 00 15 01 61 044b 01 0002 00000001 0000000000000002 0000",
            "1 to 2 objects of one UID, got 0"),
        Arguments.of(
            "38 00 15 01 61 044b 01 0002 00000001 0000000000000002 0003",
            "1 to 2 objects of one UID, got 3"),
        Arguments.of("38 00 8620 01 61 044b 00" + "00".repeat(4097), "sealed bytes, got 4097"),
        Arguments.of("ff 00 00", "got 0xff"),
        Arguments.of("04 01 01 00", "on stream 0, got stream 0x1"), // session frame on a stream
        Arguments.of("11 00 00", "on a stream, got stream 0"), // stream frame on the session
        Arguments.of("11 8100 00", "superfluous"), // stream 1 in two bytes
        Arguments.of("11 8080808001 00", "longer number"), // stream beyond 28 bits
        Arguments.of("11 01 818001", "body of at most 0x4000"), // 16385
        Arguments.of("11 01 ffffff", "body of at most 0x4000"),
        Arguments.of("11 01 8000", "superfluous"), // length 0 in two bytes
        Arguments.of("04 00 00", "1 one byte"), // no number
        Arguments.of("04 00 02 0101", "1 more bytes"), // something behind it
        Arguments.of("04 00 0a 80808080808080808001", "nine bytes"),
        Arguments.of("04 00 02 8000", "superfluous"),
        Arguments.of("03 00 02 11 00", "close cause, got 0x11"),
        Arguments.of("03 00 02 00 05", "5 bytes of text"), // text longer than the body
        Arguments.of("03 00 04 00 02 c328", "UTF-8"),
        Arguments.of("03 00 04 00 8110 78", "at most 0x400"), // text of 2049 bytes
        Arguments.of("14 01 03 01 09 00", "refusal reason, got 0x09"),
        Arguments.of("10 01 05 00 044b 00 00", "a host"), // empty host
        Arguments.of("10 01 06 01 61 0000 00 00", "a port"), // port 0
        Arguments.of("15 01 05 8180808004", "at most 0x40000000"), // credit above 2^30
        Arguments.of("40 01 00", "CODED on stream 0, got stream 0x1"),
        Arguments.of("42 00 01 02", "0 or 1, got 0x02"),
        Arguments.of("01 00 04 00000000", "the magic"),
        Arguments.of("01 00 0a 524d4947 01 01 00 01 00 00", "token of 0x20"),
        Arguments.of("02 00 04 01 00 21 00", "at most 0x20")); // token of 33 bytes
  }

  @ParameterizedTest
  @MethodSource("violations")
  void whatIsNoFrameIsAViolationThatNamesWhatCame(String hex, String message) {
    byte[] wire = bytes(hex);
    assertThatThrownBy(() -> readAll(wire, wire.length))
        .isInstanceOf(ProtocolViolationException.class)
        .hasMessageContaining(message);
    assertThatThrownBy(() -> readAll(wire, 1))
        .isInstanceOf(ProtocolViolationException.class)
        .hasMessageContaining(message);
  }

  @Test
  void aPropertyMayStandOnlyOnce() {
    byte[] wire = bytes("01 00 12 524d4947 01 01 00 00 00 00 00 02 0161 00 0161 00");
    assertThatThrownBy(() -> readAll(wire, wire.length))
        .isInstanceOf(ProtocolViolationException.class)
        .hasMessageContaining("each property once");
  }

  @Test
  void aBadHeaderIsRefusedBeforeItsBodyComes() {
    FrameReader reader = new FrameReader(frame -> {});
    assertThatThrownBy(() -> reader.feed(bytes("11 01 818001"), 0, 5))
        .isInstanceOf(ProtocolViolationException.class);
  }

  @Test
  void randomBytesEndInAViolationOrWaitAndTakeNoMoreMemoryThanOneFrame() {
    Random random = new Random(20261121);
    List<FrameType> types = List.of(FrameType.values());
    for (int round = 0; round < 20_000; round++) {
      byte[] noise = new byte[1 + random.nextInt(64)];
      random.nextBytes(noise);
      noise[0] = (byte) types.get(random.nextInt(types.size())).code();
      try {
        readAll(noise, 1 + random.nextInt(noise.length));
      } catch (ProtocolViolationException expected) {
        assertThat(expected.getMessage()).startsWith("expected ");
      } catch (IOException other) {
        throw new AssertionError(other);
      }
    }
  }

  @Test
  void theLargestBodyPassesAndOneByteMoreIsRefusedByTheWriter() throws IOException {
    FrameOutput out = new FrameOutput(16);
    out.append(new Data(1, false, new byte[Tunnel.MAX_BODY_BYTES]));
    assertThat(readAll(out.toByteArray(), 1000)).hasSize(1);
    assertThatThrownBy(() -> out.append(new Data(1, false, new byte[Tunnel.MAX_BODY_BYTES + 1])))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void frameOfLeasesHoldsItsMostObjectsBesideTheLongestHost() throws IOException {
    EndpointId endpoint = new EndpointId("h".repeat(Tunnel.MAX_TEXT_BYTES), 65535);
    List<ObjIdentifier> objects =
        Collections.nCopies(ObjectList.MAX_OBJECTS, new ObjIdentifier(1, 2, 3, (short) 4));
    FrameOutput out = new FrameOutput(16);
    out.append(new Dirty(Long.MAX_VALUE, endpoint, objects));
    assertThat(readAll(out.toByteArray(), 1000))
        .containsExactly(new Dirty(Long.MAX_VALUE, endpoint, objects));
    assertThatThrownBy(() -> out.append(new Clean(endpoint, List.of())))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aLongTextIsCutBetweenCharacters() throws IOException {
    String text = "x" + "ü".repeat(Tunnel.MAX_TEXT_BYTES);
    FrameOutput out = new FrameOutput(16);
    out.append(new Goodbye(CloseCause.DONE, text));
    Goodbye read = (Goodbye) readAll(out.toByteArray(), 1 << 20).get(0);
    assertThat(text).startsWith(read.text());
    assertThat(read.text()).hasSize(1 + (Tunnel.MAX_TEXT_BYTES - 1) / 2);
  }

  private static List<Frame> readAll(byte[] wire, int pieceBytes) throws IOException {
    List<Frame> frames = new ArrayList<>();
    FrameReader reader = new FrameReader(frames::add);
    for (int from = 0; from < wire.length; from += pieceBytes) {
      reader.feed(wire, from, Math.min(pieceBytes, wire.length - from));
    }
    return frames;
  }

  private static void assertSame(Frame read, Frame expected) {
    if (expected instanceof Data data) {
      assertThat(((Data) read).bytes()).isEqualTo(data.bytes());
      assertThat(((Data) read).endOfRequest()).isEqualTo(data.endOfRequest());
      assertThat(read.stream()).isEqualTo(data.stream());
    } else if (expected instanceof DgcAck ack) {
      assertThat(((DgcAck) read).acknowledged()).isEqualTo(ack.acknowledged());
      assertThat(((DgcAck) read).endpoint()).isEqualTo(ack.endpoint());
    } else if (expected instanceof Grant grant) {
      assertThat(((Grant) read).endpoint()).isEqualTo(grant.endpoint());
      assertThat(((Grant) read).objects()).isEqualTo(grant.objects());
      assertThat(((Grant) read).sealed()).isEqualTo(grant.sealed());
    } else if (expected instanceof Bound || expected instanceof Unbound) {
      assertThat(read).usingRecursiveComparison().isEqualTo(expected);
    } else if (expected instanceof Coded coded) {
      assertThat(((Coded) read).body()).isEqualTo(coded.body());
      assertThat(((Coded) read).fresh()).isEqualTo(coded.fresh());
    } else {
      assertThat(read).isEqualTo(expected);
    }
  }

  private static InetAddress address(String hex) {
    try {
      return InetAddress.getByAddress(bytes(hex));
    } catch (UnknownHostException noAddress) {
      throw new AssertionError(noAddress);
    }
  }

  private static byte[] bytes(String hex) {
    return HexFormat.of().parseHex(hex.replace(" ", ""));
  }

  @Test
  void tableOfThisTestHoldsEveryFrame() {
    Set<Class<?>> tested =
        new java.util.HashSet<>(
            frames().map(arguments -> (Class<?>) arguments.get()[1].getClass()).toList());
    assertThat(tested).containsExactlyInAnyOrder(Frame.class.getPermittedSubclasses());
    assertThat(Arrays.stream(FrameType.values()).map(FrameType::code)).doesNotHaveDuplicates();
  }
}
