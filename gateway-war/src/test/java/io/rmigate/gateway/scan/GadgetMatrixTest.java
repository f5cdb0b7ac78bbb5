package io.rmigate.gateway.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.scan.Finding.Kind;
import io.rmigate.gateway.scan.Gadgets.Gadget;
import io.rmigate.gateway.scan.SeenClass.Role;
import io.rmigate.gateway.scan.shape.Shapes;
import io.rmigate.protocol.jrmp.MessageEnd;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
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

  @ParameterizedTest
  @EnumSource
  void everyGadgetIsTold(GadgetPlace place) {
    List<Gadget> gadgets = Gadgets.all();
    assertThat(gadgets).hasSizeGreaterThan(24);
    for (Gadget gadget : gadgets) {
      byte[] message = place.message(gadget);
      String what = gadget + " as " + place;
      int before = Gadgets.fired();
      expectTold(scan(WITHOUT, message), message, place, gadget, false);
      expectTold(scan(WITH_ITS_JAR, message), message, place, gadget, true);
      assertThat(Gadgets.fired()).as(what).isEqualTo(before);
      Set<String> refused = gadget.does() ? Set.of() : gadget.classes();
      JdkReader.Outcome read = JdkReader.attacked(message, refused);
      if (place.setsOff(gadget)) {
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
      ScanResult result, byte[] message, GadgetPlace place, Gadget gadget, boolean explained) {
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
    if (Gadgets.isOfPlace(gadget)) {
      assertThat(result.findings().stream().anyMatch(GadgetMatrixTest::isResolvedKey))
          .as(what)
          .isEqualTo(!place.onlyNames());
      return;
    }
    if (!place.onlyNames() && !explained) {
      assertThat(result.isClean(message.length)).as(what).isFalse();
      assertThat(result.findings())
          .as(what)
          .filteredOn(finding -> finding.kind() == Kind.UNEXPLAINED_CLASS)
          .extracting(Finding::subject)
          .containsAll(gadget.classes());
    }
    if (gadget.name().equals("external reader") && !place.onlyNames()) {
      boolean nested = place == GadgetPlace.MARSHALLED_OBJECT;
      assertThat(result.end() instanceof MessageEnd.Complete).as(what).isEqualTo(nested);
      assertThat(result.findings())
          .as(what)
          .filteredOn(finding -> finding.kind() == Kind.ODD_NESTED_STREAM)
          .hasSize(nested ? 1 : 0);
    }
  }

  private static boolean isResolvedKey(Finding finding) {
    return finding.kind() == Kind.REACHING_OUT && finding.subject().equals("java.net.URL");
  }
}
