package io.rmigate.gateway.session;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.policy.Entry;
import io.rmigate.gateway.relay.FailurePolicy;
import io.rmigate.gateway.relay.ScriptedRmiServer;
import io.rmigate.gateway.scan.Bombs;
import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.RegistryOperation;
import io.rmigate.protocol.tunnel.Data;
import io.rmigate.protocol.tunnel.FrameOutput;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * What one request costs the gateway in memory, from its frames to the verdict, whatever is in it:
 * no more than ten times its bytes, and 64 KiB. Counted is what the thread that does all of that
 * allocates, which is more than what is ever held at once.
 */
class AmplificationTest {
  private static final int TIMES = 10;

  private static final int BESIDES = 64 * 1024;
  private static final int PART = 16 * 1024;
  private static final int OBJECT_AT = 7;
  private static final int OPERATION_AT = 29;

  /** RMI specification, 8.3 and the stub of {@code sun.rmi.transport.DGCImpl}. */
  private static final int DIRTY = 1;

  private static final long COLLECTOR_HASH = -669196253586618813L;
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final Principal NOBODY = new Principal("nobody", Principal.Scheme.BASIC);

  @RegisterExtension final SessionBed bed = new SessionBed();

  /** The same arguments at any object, at a registry and at a collector. */
  private static Map<String, byte[]> addressed(String name, byte[] call) {
    Map<String, byte[]> calls = new LinkedHashMap<>();
    calls.put(name, to(new ObjIdentifier(7, 1, 2, (short) 3), Jrmp.OPERATION_BY_HASH, 12345, call));
    calls.put(
        name + " at a registry",
        to(
            ObjIdentifier.REGISTRY,
            RegistryOperation.LOOKUP.number(),
            RegistryOperation.INTERFACE_HASH,
            call));
    calls.put(name + " at a collector", to(ObjIdentifier.DGC, DIRTY, COLLECTOR_HASH, call));
    return calls;
  }

  private static byte[] to(ObjIdentifier object, int operation, long hash, byte[] call) {
    return ByteBuffer.wrap(call.clone())
        .put(OBJECT_AT, object.encode())
        .putInt(OPERATION_AT, operation)
        .putLong(OPERATION_AT + Integer.BYTES, hash)
        .array();
  }

  /** Bytes that were allocated on the way from the link to the verdict. */
  private long cost(ScriptedRmiServer server, byte[] call) {
    TestAgent agent = bed.stranger(NOBODY);
    agent.hello();
    agent.awaitWelcome();
    agent.open(1, server.port());
    long credit = SessionSettings.DEFAULTS.streamCredit();
    long cost = 0;
    for (int from = 0; from < call.length; from += PART) {
      int end = Math.min(from + PART, call.length);
      TestAgent.awaitThat(() -> agent.creditGiven(1) + credit >= end);
      FrameOutput frame = new FrameOutput(PART);
      frame.append(new Data(1, end == call.length, Arrays.copyOfRange(call, from, end)));
      byte[] bytes = frame.toByteArray();
      long before = THREADS.getCurrentThreadAllocatedBytes();
      agent.sayBytes(bytes);
      cost += THREADS.getCurrentThreadAllocatedBytes() - before;
    }
    agent.session().onTransportClosed();
    return cost;
  }

  @Test
  void aRequestCostsNoMoreThanTenTimesItsBytesAnd64KiB() throws Exception {
    ScriptedRmiServer server = bed.scripted(FailurePolicy.NONE);
    bed.policy(
        new TargetGrant(
            Set.of("*"), List.of("127.0.0.1:*"), SessionBed.ALL, Entry.enforced().rules()));
    Map<String, byte[]> calls = new LinkedHashMap<>();
    Bombs.hungry().forEach((name, call) -> calls.putAll(addressed(name, call)));
    Map<String, String> beyond = new LinkedHashMap<>();
    calls.forEach(
        (name, call) -> {
          cost(server, call); // what is made once
          long cost = Math.min(cost(server, call), cost(server, call));
          if (cost > (long) TIMES * call.length + BESIDES) {
            beyond.put(name, cost + " for " + call.length);
          }
        });
    assertThat(beyond).isEmpty();
  }
}
