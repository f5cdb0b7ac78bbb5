package io.rmigate.protocol.jrmp;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.protocol.jrmp.MessageEnd.Aborted;
import io.rmigate.protocol.jrmp.MessageEnd.Complete;
import io.rmigate.protocol.jrmp.MessageEnd.Malformed;
import io.rmigate.protocol.jrmp.MessageEnd.Truncated;
import io.rmigate.protocol.jrmp.MessageEnd.Unparseable;
import java.io.Externalizable;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectOutput;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules of the grammar, one by one; real streams are in {@link MessageGrammarCorpusTest}. */
class MessageGrammarTest {

  /** A descriptor up to its flags: TC_CLASSDESC, name "A", serialVersionUID 0. */
  private static final String CLASS_A = "72000141" + "0000000000000000";

  /** No annotation, no superclass. */
  private static final String PLAIN = "7870";

  /** Of {@link GraphCorpus.Plain}. */
  private static final List<StreamClass.Field> PLAIN_FIELDS =
      List.of(
          new StreamClass.Field("b", "B"),
          new StreamClass.Field("c", "C"),
          new StreamClass.Field("d", "D"),
          new StreamClass.Field("f", "F"),
          new StreamClass.Field("i", "I"),
          new StreamClass.Field("j", "J"),
          new StreamClass.Field("s", "S"),
          new StreamClass.Field("z", "Z"),
          new StreamClass.Field("ints", "[I"),
          new StreamClass.Field("self", "Ljava/io/Serializable;"),
          new StreamClass.Field("text", "Ljava/lang/String;"));

  /** An Externalizable of the application; one byte, unframed in protocol 1. */
  public static final class Own implements Externalizable {
    private static final long serialVersionUID = 1L;

    /** For the stream. */
    public Own() {}

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
      out.writeByte(0x78);
    }

    @Override
    public void readExternal(ObjectInput in) {}
  }

  @Test
  void anUnframedExternalizableOfAnUnknownClassCannotBeParsed() {
    byte[] call = CallBytes.callWith(new Own());
    assertThat(MessageGrammar.endOfRequest(call, 0, call.length))
        .isEqualTo(
            new Unparseable(
                "unframed data of the Externalizable " + Own.class.getName(),
                Optional.of(Own.class.getName())));
    MessageGrammarCorpusTest.assertEndsExactly(
        CallBytes.call(null, 2, out -> out.writeObject(new Own())));
  }

  @Test
  void bareReferencesAreKnownExternalizables() {
    String id = "00".repeat(22) + "01";
    String unicastRef = "001973756e2e726d692e7365727665722e556e696361737452656600";
    unicastRef = unicastRef.substring(0, unicastRef.length() - 2);
    String flags = "0000000000000000" + "04" + "0000" + PLAIN;
    assertComplete("7372" + unicastRef + flags + "000168" + "00000001" + id);
    String unicastRef2 = "001a73756e2e726d692e7365727665722e556e696361737452656632" + flags;
    assertComplete("7372" + unicastRef2 + "00" + "000168" + "00000001" + id);
    assertComplete("7372" + unicastRef2 + "01" + "000168" + "00000001" + "740001" + "66" + id);
    assertMalformed("7372" + unicastRef2 + "02" + "000168" + "00000001" + id);
  }

  @Test
  void aByteThatIsNoTypeCodeEndsTheMessage() {
    byte[] v = HexFormat.of().parseHex(GoldenMessages.V);
    for (int code = 0; code < 256; code++) {
      byte[] both = MessageGrammarCorpusTest.join(v, new byte[] {(byte) code});
      MessageEnd end = MessageGrammar.endOfRequest(both, 0, both.length);
      if (code < 0x70 || code > 0x7E) {
        assertThat(end).isEqualTo(new Complete(v.length));
      } else if (code == 0x70 || code == 0x79) {
        assertThat(end).isEqualTo(new Complete(both.length));
      } else if (code == 0x78) {
        assertThat(end).isInstanceOf(Malformed.class);
      } else {
        assertThat(end).isInstanceOf(Truncated.class);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "78", // TC_ENDBLOCKDATA at the top
        "71007e0000", // handle of nothing
        "710000000074000161", // handle below the first
        "7370", // object without a class
        "7670", // class object without a class
        "7570", // array without a class
        "7e70", // enum without a class
        "7374", // a string for a class
        "7400016173" + "71007e0000", // object whose class is a string
        "737200014100000000000000000600007870", // serializable and externalizable
        "73" + CLASS_A + "00" + "0000" + PLAIN, // object of a class that is not serializable
        "73" + CLASS_A + "12" + "0000" + PLAIN, // enum as an object
        "7e" + CLASS_A + "02" + "0000" + PLAIN + "740000", // object as an enum
        "7e7200014100000000000000011200007870740000", // enum with serialVersionUID
        "7e" + CLASS_A + "12" + "0000" + PLAIN + "71007e0000", // enum's name by reference
        "75" + CLASS_A + "02" + "0000" + PLAIN + "00000000", // array whose class is none
        "75720002" + "5b58" + "0000000000000000" + "02" + "0000" + PLAIN + "00000000", // [X
        "75720002" + "5b42" + "0000000000000000" + "02" + "0000" + PLAIN + "80000000", // negative
        "73" + CLASS_A + "02" + "ffff" + PLAIN, // negative number of fields
        "73" + CLASS_A + "02" + "0001" + "58000161" + PLAIN, // field of type X
        "73" + CLASS_A + "02" + "0001" + "4c000161" + "70" + PLAIN, // no type string
        "73" + CLASS_A + "02" + "0001" + "4c000161" + "7400014a" + PLAIN, // L, but says J
        "73" + CLASS_A + "02" + "0001" + "4c000161" + "740000" + PLAIN, // L, but says nothing
        "73" + CLASS_A + "02" + "0001" + "4c000161" + "71007e0000" + PLAIN, // a class as a type
        "73" + CLASS_A + "02" + "0002" + "4c000161" + "7400014c" + "4a000162" + PLAIN, // order
        "73" + CLASS_A + "02" + "0000" + "78" + "71007e0000", // its own superclass
        "73" + CLASS_A + "02" + "0000" + "73" + "71007e0000", // used before it is finished
        "737dffffffff" + PLAIN, // negative number of interfaces
        "737d00010000" + PLAIN, // too many interfaces
        "73" + CLASS_A + "02" + "0000" + "79" + PLAIN, // reset in an annotation
        "7aFFFFFFFF", // block of negative length
        "7cffffffffffffffff", // string of negative length
        "7b7400", // exception that is no object
        "740002c341", // a string that is not modified UTF-8
        "74000f6161616161616161616161616161f0", // nor is this, behind ASCII
        "7c0000000000000001e2", // nor a long one
        "73720001ff" + "0000000000000000" + "02" + "0000" + PLAIN, // a class name
        "737d0000000100018078", // an interface
        "73" + CLASS_A + "02" + "0001" + "4c000161" + "7400014c" + PLAIN + "7700", // block as field
        "73" + CLASS_A + "02" + "0001" + "4c000161" + "7400014c" + PLAIN + "50", // message as field
      })
  void whatTheJdkRefusesIsMalformed(String hex) {
    assertMalformed(hex);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "75720002" + "5b42" + "0000000000000000" + "02" + "0000" + PLAIN + "7fffffff",
        "75720002" + "5b4a" + "0000000000000000" + "02" + "0000" + PLAIN + "7fffffff",
        "757200035b4c3b" + "0000000000000000" + "02" + "0000" + PLAIN + "7fffffff",
        "7c7fffffffffffffff",
        "7c000000007fffffff",
        "7a7fffffff",
        "74ffff",
        "72ffff",
        "7d0000ffff",
      })
  void aDeclaredLengthCostsNothing(String hex) {
    byte[] call = call(hex);
    assertThat(MessageGrammar.endOfRequest(call, 0, call.length)).isInstanceOf(Truncated.class);
  }

  @Test
  void whatIsInsideAnAbortedMessageIsForgotten() {
    String object = "73" + CLASS_A + "02" + "0000" + PLAIN;
    byte[] call = call("73" + CLASS_A + "03" + "0000" + PLAIN + "7b" + object);
    assertThat(MessageGrammar.endOfRequest(call, 0, call.length))
        .isEqualTo(new Aborted(call.length));
    assertMalformed("740001617b" + "7371007e0000");
  }

  @Test
  void resetForgetsHandles() {
    assertComplete("7400016171007e0000");
    assertMalformed("740001617971007e0000");
    assertComplete("740001617974000162" + "71007e0000");
  }

  /** The class that came behind another before is tried first; not so once handles are others'. */
  @Test
  void whichClassFollowsAnotherIsForgottenByReset() {
    String classB = CLASS_A.replace("000141", "000142");
    String objects = "73" + CLASS_A + "02" + "0000" + PLAIN + "73" + classB + "02" + "0000" + PLAIN;
    String ofA = "7371007e0000";
    String ofB = "7371007e0002";
    assertComplete(objects + ofA + ofB + ofA + ofB + ofB + ofA);
    assertMalformed(objects + ofA + ofB + ofA + "79" + "74000161".repeat(3) + ofB);
    assertMalformed(objects + ofA + ofB + ofA + "7371007e0001");
  }

  @Test
  void deepNestingEndsAtTheLimit() {
    // Object arrays of one element: [[[…
    String array = "757200035b4c3b" + "0000000000000000" + "02" + "0000" + PLAIN + "00000001";
    StringBuilder arrays = new StringBuilder(array);
    arrays.append("7571007e000000000001".repeat(200_000)).append("70");
    assertComplete(arrays.toString()); // The last element leaves no frame: any depth is free.
    String pair = "757200035b4c3b" + "0000000000000000" + "02" + "0000" + PLAIN + "00000002";
    byte[] deep = call(pair + "7571007e000000000002".repeat(500_000));
    assertThat(MessageGrammar.endOfRequest(deep, 0, deep.length))
        .isEqualTo(new Unparseable("nested deeper than 400000 frames", Optional.empty()));
    byte[] supers = call("73" + (CLASS_A + "02" + "0000" + "78").repeat(200_000));
    assertThat(MessageGrammar.endOfRequest(supers, 0, supers.length))
        .isInstanceOf(Unparseable.class);
    byte[] annotations = call("73" + (CLASS_A + "02" + "0000").repeat(200_000));
    assertThat(MessageGrammar.endOfRequest(annotations, 0, annotations.length))
        .isInstanceOf(Unparseable.class);
    byte[] descriptors = call((CLASS_A + "02" + "0000" + PLAIN).repeat(200_000));
    assertThat(MessageGrammar.endOfRequest(descriptors, 0, descriptors.length))
        .isInstanceOf(Unparseable.class);
  }

  @Test
  void shortDescriptorsHaveALimitThatLongMessagesDoNotMeet() {
    String proxy = "7d" + "00000000" + PLAIN;
    assertComplete(proxy.repeat(64));
    byte[] proxies = call(proxy.repeat(120));
    assertThat(MessageGrammar.endOfRequest(proxies, 0, proxies.length))
        .isInstanceOfSatisfying(
            Unparseable.class,
            limit -> assertThat(limit.reason()).matches("\\d+ class descriptors in \\d+ bytes"));
    assertComplete("70".repeat(56 * 32) + proxy.repeat(120));
  }

  @Test
  void aClassKnownToSkipItsFieldsCanBeParsed() {
    byte[] call = CallBytes.callWith(new GraphCorpus.WritesOwnForm());
    assertThat(MessageGrammar.endOfRequest(call, 0, call.length))
        .isNotEqualTo(new Complete(call.length));
    StreamObserver knowing =
        new StreamObserver() {
          @Override
          public boolean writesDefaultFields(StreamClass type) {
            return !type.isNamed(GraphCorpus.WritesOwnForm.class.getName());
          }
        };
    assertThat(MessageGrammar.endOfRequest(call, 0, call.length, knowing))
        .isEqualTo(new Complete(call.length));
  }

  @Test
  void anObserverIsToldWhatStandsInTheStream() {
    List<String> told = new ArrayList<>();
    boolean[] isPlain = new boolean[1];
    byte[] call =
        CallBytes.call(
            "http://codebase/",
            1,
            out -> {
              out.writeObject("first");
              out.writeObject(new GraphCorpus.Plain());
              out.writeObject(GraphCorpus.Colour.RED);
            });
    StreamObserver observer =
        new StreamObserver() {
          private int open;

          @Override
          public void onClassDescriptor(StreamClass descriptor) {
            told.add(descriptor.name());
            isPlain[0] |= descriptor.declares(PLAIN_FIELDS);
          }

          @Override
          public void onString(int handle, int at, int length) {
            told.add(ModifiedUtf8.decode(call, at, length));
          }

          @Override
          public void beginAnnotation(StreamClass descriptor) {
            open++;
          }

          @Override
          public void beginObject(int handle, StreamClass type) {
            open++;
          }

          @Override
          public void beginArray(int handle, StreamClass type, int length, int elementsAt) {
            open++;
          }

          @Override
          public void beginEnum(int handle, StreamClass type) {
            open++;
          }

          @Override
          public void onEnd() {
            open--;
          }

          @Override
          public void onContent(int at) {
            assertThat(open).isZero();
            told.add("argument");
          }
        };
    assertThat(MessageGrammar.endOfRequest(call, 0, call.length, observer))
        .isEqualTo(new Complete(call.length));
    String test = GraphCorpus.class.getName();
    assertThat(told)
        .containsSubsequence(
            "argument",
            "first",
            "argument",
            "http://codebase/",
            test + "$Plain",
            "text",
            "argument",
            "java.lang.Enum",
            test + "$Colour",
            "RED");
    assertThat(isPlain[0]).isTrue();
  }

  @Test
  void repliesEndLikeRequests() {
    assertThat(MessageGrammar.endOfReply(new byte[] {0x53, 0x51}, 0, 2)).isEqualTo(new Complete(1));
    byte[] reply = CallBytes.normalReturn(out -> out.writeObject(List.of("x")));
    for (int n = 0; n < reply.length; n++) {
      assertThat(MessageGrammar.endOfReply(reply, 0, n))
          .isEqualTo(n == 22 ? new Complete(n) : Truncated.INSTANCE);
    }
    assertThat(MessageGrammar.endOfReply(reply, 0, reply.length))
        .isEqualTo(new Complete(reply.length));
    assertThat(MessageGrammar.endOfReply(new byte[] {0x50}, 0, 1)).isInstanceOf(Malformed.class);
    assertThat(MessageGrammar.endOfRequest(new byte[] {0x51}, 0, 1)).isInstanceOf(Malformed.class);
  }

  @Test
  void theHeaderMustStandInOneBlock() {
    for (String hex :
        new String[] {
          "50aced0006", "50aced000573", "50aced0005" + "7721" + "00".repeat(0x21), "50acee"
        }) {
      byte[] call = HexFormat.of().parseHex(hex);
      assertThat(MessageGrammar.endOfRequest(call, 0, call.length)).isInstanceOf(Malformed.class);
    }
  }

  @Test
  void theOpeningOfAnotherCallIsSeenAnywhere() {
    byte[] harmless = CallBytes.callWith(new byte[100]);
    assertThat(MessageGrammar.spellsAnotherCall(harmless, 0, harmless.length)).isFalse();
    byte[] inside = CallBytes.callWith(HexFormat.of().parseHex(GoldenMessages.V));
    assertThat(MessageGrammar.spellsAnotherCall(inside, 0, inside.length)).isTrue();
    byte[] atTheEnd =
        MessageGrammarCorpusTest.join(harmless, HexFormat.of().parseHex("50aced0005"));
    assertThat(MessageGrammar.spellsAnotherCall(atTheEnd, 0, atTheEnd.length)).isTrue();
    assertThat(MessageGrammar.spellsAnotherCall(atTheEnd, 0, atTheEnd.length - 1)).isFalse();
    assertThat(MessageGrammar.spellsAnotherCall(new byte[0], 0, 0)).isFalse();
  }

  private static void assertComplete(String contents) {
    byte[] call = call(contents);
    assertThat(MessageGrammar.endOfRequest(call, 0, call.length))
        .isEqualTo(new Complete(call.length));
  }

  private static void assertMalformed(String contents) {
    byte[] call = call(contents);
    assertThat(MessageGrammar.endOfRequest(call, 0, call.length)).isInstanceOf(Malformed.class);
  }

  private static byte[] call(String contents) {
    return HexFormat.of().parseHex(GoldenMessages.V + contents);
  }
}
