package io.rmigate.gateway.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.scan.Finding.Kind;
import io.rmigate.gateway.scan.Gadgets.Gadget;
import io.rmigate.gateway.scan.SeenClass.Role;
import io.rmigate.gateway.scan.shape.Shape;
import io.rmigate.gateway.scan.shape.Shapes;
import io.rmigate.protocol.jrmp.MessageEnd;
import io.rmigate.protocol.jrmp.StreamClass.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * T01, T02, T03, T09, T11, T61: every gadget in every place. The JDK's reader shows each time that
 * the stream works; the scanner tells of its classes before anybody has read a byte, or of the lie
 * that hides them.
 */
class GadgetMatrixTest {
  private static final StreamScanner WITHOUT =
      new StreamScanner(Shapes.ofJdk(), ScanLimits.DEFAULT);

  private static final StreamScanner WITH_ITS_JAR =
      CorpusShapes.scannerOf(List.of(Gadgets.class.getDeclaredClasses()));

  /** Where it stands. */
  enum Place {
    ARGUMENT {
      @Override
      byte[] message(Gadget gadget) {
        return HandWritten.call().raw(gadget.body().behind(0)).toByteArray();
      }
    },

    SECOND_ARGUMENT {
      @Override
      byte[] message(Gadget gadget) {
        HandWritten call = HandWritten.call().string("first").block((byte) 1, (byte) 2);
        return call.raw(gadget.body().behind(1)).toByteArray();
      }
    },

    LIST {
      @Override
      byte[] message(Gadget gadget) {
        HandWritten call = HandWritten.call();
        call.object().descriptor(Bombs.shape("java.util.ArrayList")).nothing().data();
        call.int32(2).block(Bombs.size(2)).string("a");
        return call.raw(gadget.body().behind(call.handles())).end().toByteArray();
      }
    },

    MAP {
      @Override
      byte[] message(Gadget gadget) {
        HandWritten call = HandWritten.call();
        call.object().descriptor(Bombs.shape("java.util.HashMap")).nothing().data();
        call.int32(0x3F400000).int32(12).block(Bombs.size(16, 1)).string("key");
        return call.raw(gadget.body().behind(call.handles())).end().toByteArray();
      }
    },

    /** Of a class that everybody uses. */
    ANNOTATION {
      @Override
      byte[] message(Gadget gadget) {
        Shape integer = Bombs.shape("java.lang.Integer");
        HandWritten call = HandWritten.call().object();
        call.unannotated(
            integer.name(),
            integer.serialVersionUid(),
            HandWritten.flags(integer),
            integer.fields());
        call.raw(gadget.body().behind(call.handles())).end();
        return call.descriptor(Bombs.shape("java.lang.Number")).nothing().int32(1).toByteArray();
      }
    },

    PROXY_ANNOTATION {
      @Override
      byte[] message(Gadget gadget) {
        HandWritten call = HandWritten.call().object();
        call.unannotatedProxy("java.lang.Comparable");
        call.raw(gadget.body().behind(call.handles())).end();
        return endOfProxy(call);
      }
    },

    /** An object of nothing else than a proxy that claims to be this, too. */
    PROXY_INTERFACES {
      @Override
      byte[] message(Gadget gadget) {
        List<String> names = new ArrayList<>(List.of("java.lang.Comparable"));
        names.addAll(gadget.classes());
        HandWritten call = HandWritten.call().object();
        call.proxy(names.toArray(String[]::new));
        return endOfProxy(call);
      }

      @Override
      boolean onlyNames() {
        return true;
      }
    },

    /** RemoteObject has no fields, and its reader takes the bytes of these as an object. */
    LYING_DESCRIPTOR {
      @Override
      byte[] message(Gadget gadget) {
        HandWritten hidden = HandWritten.bytes().block((byte) 0, (byte) 0);
        hidden.raw(gadget.body().behind(3));
        int longs = (hidden.length() + Long.BYTES - 1) / Long.BYTES;
        List<Field> fields =
            IntStream.range(0, longs).mapToObj(i -> new Field("f" + i, "J")).toList();
        Shape remote = Bombs.shape(Stubs.REMOTE_OBJECT);
        HandWritten call = HandWritten.call();
        call.object()
            .descriptor(Bombs.shape(Stubs.HANDLER))
            .descriptor(remote.name(), remote.serialVersionUid(), 3, fields)
            .nothing()
            .data();
        int padding = Long.BYTES * longs - hidden.length();
        return call.raw(hidden.toByteArray()).raw(new byte[padding]).end().toByteArray();
      }

      @Override
      boolean hides() {
        return true;
      }
    },

    MARSHALLED_OBJECT {
      @Override
      byte[] message(Gadget gadget) {
        byte[] stream =
            HandWritten.bytes().hex("aced0005").raw(gadget.body().behind(0)).toByteArray();
        HandWritten call = HandWritten.call();
        call.object().descriptor(Bombs.shape("java.rmi.MarshalledObject")).nothing().data();
        call.int32(13).nothing();
        call.array().descriptor("[B", 0xacf317f8060854e0L, 2, List.of()).nothing().data();
        return call.int32(stream.length).raw(stream).toByteArray();
      }
    },

    REPLY {
      @Override
      byte[] message(Gadget gadget) {
        return reply(1).raw(gadget.body().behind(0)).toByteArray();
      }
    },

    /** In a field of one that is allowed. */
    EXCEPTION {
      @Override
      byte[] message(Gadget gadget) {
        HandWritten reply = reply(2);
        reply
            .object()
            .descriptor(Bombs.shape("javax.naming.NamingException"))
            .descriptor(Bombs.shape("java.lang.Exception"))
            .descriptor(Bombs.shape("java.lang.Throwable"))
            .nothing()
            .data();
        reply.nothing().nothing().nothing().nothing().end(); // of Throwable
        reply.nothing().nothing().raw(gadget.body().behind(reply.handles()));
        return reply.nothing().toByteArray();
      }
    };

    abstract byte[] message(Gadget gadget);

    /** Whether nobody without the receiver's classes can see it. */
    boolean hides() {
      return false;
    }

    /** Whether there is nothing but its name to be seen. */
    boolean onlyNames() {
      return false;
    }

    private static byte[] endOfProxy(HandWritten call) {
      call.descriptor(Bombs.shape("java.lang.reflect.Proxy")).nothing();
      return call.nothing().toByteArray(); // no handler
    }

    private static HandWritten reply(int kind) {
      return HandWritten.bytes().hex("51aced0005770f").raw((byte) kind).raw(new byte[14]);
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyGadgetIsTold(Place place) {
    List<Gadget> gadgets = Gadgets.all();
    assertThat(gadgets).hasSizeGreaterThan(24);
    for (Gadget gadget : gadgets) {
      byte[] message = place.message(gadget);
      String what = gadget + " as " + place;
      expectTold(scan(WITHOUT, message), message, place, gadget, false);
      expectTold(scan(WITH_ITS_JAR, message), message, place, gadget, true);
      int before = Gadgets.fired();
      Set<String> refused = gadget.does() ? Set.of() : gadget.classes();
      JdkReader.Outcome read = JdkReader.attacked(message, refused);
      // Validation comes when all has been read, which a lie that is found out prevents.
      boolean goesOff =
          gadget.does()
              && !place.onlyNames()
              && !(place.hides() && gadget.name().startsWith("validation"));
      if (goesOff) {
        assertThat(Gadgets.fired()).as("%s: %s", what, read.failure()).isGreaterThan(before);
      } else {
        // Of classes that are not there it is in the failure.
        assertThat(gadget.classes())
            .as("%s: %s", what, read)
            .anyMatch(name -> read.resolved().contains(name) || read.failure().contains(name));
      }
    }
  }

  private static ScanResult scan(StreamScanner scanner, byte[] message) {
    return message[0] == 0x50
        ? scanner.request(message, 0, message.length)
        : scanner.reply(message, 0, message.length);
  }

  /**
   * With its jar in the configuration its classes are explained, and policy goes by their names.
   */
  private static void expectTold(
      ScanResult result, byte[] message, Place place, Gadget gadget, boolean explained) {
    String what = gadget + " as " + place + ": " + result;
    if (place.hides()) {
      assertThat(result.findings())
          .as(what)
          .anyMatch(
              finding ->
                  finding.kind() == Kind.SHAPE_MISMATCH
                      && finding.subject().equals(Stubs.REMOTE_OBJECT));
      return;
    }
    Role role = place.onlyNames() ? Role.PROXY_INTERFACE : Role.DESCRIPTOR;
    Set<String> told =
        result.classes().stream()
            .filter(seen -> seen.role() == role)
            .map(SeenClass::name)
            .collect(Collectors.toSet());
    assertThat(told).as(what).containsAll(gadget.classes());
    if (!place.onlyNames() && !explained) {
      assertThat(result.isClean(message.length)).as(what).isFalse();
      assertThat(result.findings())
          .as(what)
          .filteredOn(finding -> finding.kind() == Kind.UNEXPLAINED_CLASS)
          .extracting(Finding::subject)
          .containsAll(gadget.classes());
    }
    if (gadget.name().equals("external reader") && !place.onlyNames()) {
      boolean nested = place == Place.MARSHALLED_OBJECT;
      assertThat(result.end() instanceof MessageEnd.Complete).as(what).isEqualTo(nested);
      assertThat(result.findings())
          .as(what)
          .filteredOn(finding -> finding.kind() == Kind.ODD_NESTED_STREAM)
          .hasSize(nested ? 1 : 0);
    }
  }
}
