package io.rmigate.gateway.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.scan.StreamScanner.RequestScans;
import io.rmigate.gateway.scan.shape.Shapes;
import io.rmigate.protocol.jrmp.CallBytes;
import io.rmigate.protocol.jrmp.Jrmp;
import java.io.Serializable;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Requests that are scanned one after the other, in the same memory. */
class RequestScansTest {
  private static final StreamScanner SCANNER =
      new StreamScanner(Shapes.ofJdk(), ScanLimits.DEFAULT);
  private static final byte TC_NULL = 0x70;
  private static final byte TC_REFERENCE = 0x71;
  private static final byte TC_CLASSDESC = 0x72;
  private static final byte TC_OBJECT = 0x73;
  private static final byte TC_EXCEPTION = 0x7B;

  /** Each of them leaves something else behind that could be told of the next. */
  private static List<byte[]> requests() {
    List<byte[]> requests =
        new ArrayList<>(
            List.of(
                CallBytes.callWith("a string"),
                CallBytes.callWith("a longer string, of more letters than the other one"),
                CallBytes.callWith("long ".repeat(300)),
                CallBytes.callWith(5),
                CallBytes.callWith(new HashSet<>(List.of("a", List.of("b")))),
                CallBytes.callWith(new HashMap<>(Map.of(1, LocalDate.EPOCH))),
                CallBytes.callWith(LocalDate.EPOCH),
                CallBytes.callWith(new RequestScansTest[0]),
                CallBytes.callWith(new Unexplained()),
                CallBytes.call(
                    out -> {
                      out.writeObject("one");
                      out.reset();
                      out.writeObject("two");
                    }),
                CallBytes.call(
                    out -> out.writeUnshared(Collections.nCopies(3, "a").toArray(String[]::new))),
                new byte[] {Jrmp.PING},
                new byte[] {Jrmp.CALL},
                new byte[0]));
    byte[] text = CallBytes.callWith("");
    for (byte token : new byte[] {TC_NULL, TC_REFERENCE, TC_CLASSDESC, TC_OBJECT, TC_EXCEPTION}) {
      requests.add(with(text, token));
      requests.add(with(text, token, TC_OBJECT));
    }
    for (byte handle = 0; handle < 3; handle++) {
      requests.add(with(text, TC_REFERENCE, (byte) 0, (byte) 0x7E, (byte) 0, handle));
    }
    byte[] rows = CallBytes.callWith(new ArrayList<>(List.of("a", 1, List.of())));
    requests.add(Arrays.copyOf(rows, rows.length - 1));
    requests.add(Arrays.copyOf(rows, rows.length / 2));
    requests.add(Arrays.copyOf(text, text.length - 1));
    return requests;
  }

  private static byte[] with(byte[] call, byte... more) {
    byte[] all = Arrays.copyOf(call, call.length + more.length);
    System.arraycopy(more, 0, all, call.length, more.length);
    return all;
  }

  private static ScanResult scan(RequestScans scans, byte[] request) {
    return scans.scan(request, 0, request.length);
  }

  @Test
  void nothingOfOneRequestIsToldOfTheNext() {
    List<byte[]> requests = requests();
    for (byte[] first : requests) {
      for (byte[] second : requests) {
        RequestScans scans = SCANNER.requests();
        scan(scans, first);
        assertThat(scan(scans, second)).isEqualTo(scan(SCANNER.requests(), second));
        assertThat(scan(scans, first)).isEqualTo(scan(SCANNER.requests(), first));
      }
    }
  }

  @Test
  void resultsStayAsTheyWere() {
    byte[] request = CallBytes.callWith("a string");
    RequestScans scans = SCANNER.requests();
    ScanResult first = scan(scans, request);
    scan(scans, with(request, TC_OBJECT));
    scan(scans, CallBytes.callWith(new Unexplained()));
    assertThat(first).isEqualTo(scan(SCANNER.requests(), request));
  }

  private static final class Unexplained implements Serializable {
    private static final long serialVersionUID = 1;
  }
}
