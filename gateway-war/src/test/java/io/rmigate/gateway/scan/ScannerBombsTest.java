package io.rmigate.gateway.scan;

import static io.rmigate.gateway.scan.StreamScannerTest.kinds;
import static io.rmigate.gateway.scan.StreamScannerTest.scan;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.rmigate.gateway.scan.Finding.Kind;
import io.rmigate.protocol.jrmp.MessageEnd;
import io.rmigate.protocol.jrmp.MessageGrammar;
import io.rmigate.protocol.jrmp.StreamObserver;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** T06, T07, T08: messages that cost their readers more than their senders. */
class ScannerBombsTest {

  /** In front of the number stand what precedes it in fields and blocks. */
  private static final Map<String, byte[]> CLAIMS =
      Map.of(
          "java.util.ArrayList", Bombs.size(Integer.MAX_VALUE),
          "java.util.PriorityQueue", Bombs.size(Integer.MAX_VALUE),
          "java.util.HashMap", inBlock(8, 16, Integer.MAX_VALUE),
          "java.util.HashSet", inBlock(0, 16, 0x3F400000, Integer.MAX_VALUE),
          "java.util.Hashtable", inBlock(8, 11, Integer.MAX_VALUE),
          "java.util.ArrayDeque", inBlock(0, Integer.MAX_VALUE),
          "java.util.IdentityHashMap", inBlock(4, Integer.MAX_VALUE),
          "java.util.concurrent.CopyOnWriteArrayList", inBlock(0, Integer.MAX_VALUE),
          "java.util.CollSer", inBlock(4, Integer.MAX_VALUE));

  private static byte[] inBlock(int fieldBytes, int... numbers) {
    return HandWritten.bytes().raw(new byte[fieldBytes]).block(Bombs.size(numbers)).toByteArray();
  }

  @Test
  void collectionsThatClaimMoreThanCanFollowAreTold() {
    CLAIMS.forEach(
        (name, data) ->
            assertThat(kinds(scan(Bombs.claiming(name, data))))
                .as(name)
                .containsExactly(Kind.CLAIMS_TOO_MUCH));
  }

  @Test
  void collectionsThatHideWhatTheyClaimAreTold() {
    HandWritten call = HandWritten.call();
    call.object().descriptor(Bombs.shape("java.util.HashSet")).nothing().data();
    call.block(Bombs.size(16)).block(Bombs.size(0x3F400000, Integer.MAX_VALUE)).end();
    assertThat(kinds(scan(call.toByteArray()))).containsExactly(Kind.ODD_OWN_DATA);
  }

  @Test
  void nothingIsNestedDeeperThanTheParserGoes() {
    HandWritten arrays = HandWritten.call();
    arrays.array().descriptor("[Ljava.lang.Object;", 1, 2, List.of()).nothing().data().int32(1);
    HandWritten descriptors = HandWritten.call();
    HandWritten annotations = HandWritten.call();
    for (int i = 0; i < 100_000; i++) {
      arrays.array().reference(0).data().int32(1);
      descriptors.descriptor("a", 1, 2, List.of());
      annotations.unannotated("a", 1, 2, List.of());
    }
    for (HandWritten call : List.of(arrays, descriptors, annotations)) {
      assertThat(scan(call.toByteArray()).end()).isInstanceOf(MessageEnd.Unparseable.class);
    }
  }

  @Test
  void memoryIsInProportionToTheMessage() {
    Map<String, byte[]> bombs = Bombs.hungry();
    bombs.values().forEach(StreamScannerTest::scan); // what is made once
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    bombs.forEach(
        (name, call) -> {
          long before = threads.getCurrentThreadAllocatedBytes();
          scan(call);
          long allocated = threads.getCurrentThreadAllocatedBytes() - before;
          assertThat(allocated).as(name).isLessThan(10L * call.length + 16 * 1024);
        });
  }

  @Test
  void aClassBehindManyOfTheSameNameIsToldOrThereAreTooMany() {
    String[] same = new String[5000];
    Arrays.fill(same, "a");
    same[same.length - 1] = "b";
    HandWritten call = HandWritten.call();
    call.hex("76").proxy(same).nothing().data();
    assertThat(kinds(scan(call.toByteArray()))).contains(Kind.TOO_MANY_CLASSES);
  }

  /** What a scan does for each of these takes a time that does not depend on the message. */
  @Test
  void aScanIsToldNoMoreThanTwoThingsForEachByte() {
    Bombs.hungry()
        .forEach(
            (name, call) -> {
              AtomicLong told = new AtomicLong();
              MessageGrammar.endOfRequest(call, 0, call.length, counting(told));
              assertThat(told.get()).as(name).isBetween(1L, 2L * call.length);
            });
  }

  private static StreamObserver counting(AtomicLong told) {
    return (StreamObserver)
        Proxy.newProxyInstance(
            StreamObserver.class.getClassLoader(),
            new Class<?>[] {StreamObserver.class},
            (proxy, method, arguments) -> {
              told.incrementAndGet();
              return method.getReturnType() == boolean.class
                  ? Boolean.valueOf(method.getName().equals("writesDefaultFields"))
                  : null;
            });
  }
}
