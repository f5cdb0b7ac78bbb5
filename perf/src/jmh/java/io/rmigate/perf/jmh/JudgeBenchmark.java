package io.rmigate.perf.jmh;

import io.rmigate.gateway.gate.RequestGate;
import io.rmigate.gateway.gate.Verdict;
import io.rmigate.gateway.policy.CallRules;
import io.rmigate.gateway.policy.Rulebook;
import io.rmigate.gateway.policy.rule.ClassMode;
import io.rmigate.gateway.policy.rule.EntryRules;
import io.rmigate.gateway.policy.rule.Objection;
import io.rmigate.gateway.scan.ScanResult;
import io.rmigate.gateway.scan.StreamScanner;
import io.rmigate.protocol.jrmp.CallBytes;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.server.UnicastRemoteObject;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * {@code perf/scanner}: what enforced class rules add to a small call, {@code sayHello(String)},
 * beside that call by plain RMI over loopback.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 4, time = 1, timeUnit = TimeUnit.SECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class JudgeBenchmark {

  /** What is called. */
  public interface Greeter extends Remote {
    String sayHello(String name) throws RemoteException;
  }

  private static final class Greetings implements Greeter {
    @Override
    public String sayHello(String name) {
      return "Hello, " + name;
    }
  }

  private final Greeter greetings = new Greetings();
  private final byte[] call = CallBytes.callWith("world");
  private final CallRules rules =
      Rulebook.OFF.rules(
          List.of(EntryRules.NONE.with(EntryRules.MODE, Optional.of(ClassMode.ENFORCE))));
  private final StreamScanner.RequestScans scans = rules.scanner().requests();
  private Greeter stub;

  @Setup
  public void export() throws RemoteException {
    stub = (Greeter) UnicastRemoteObject.exportObject(greetings, 0);
    if (!judge().isEmpty()) {
      throw new IllegalStateException("refused: " + judge());
    }
  }

  @TearDown
  public void unexport() throws RemoteException {
    UnicastRemoteObject.unexportObject(greetings, true);
  }

  @Benchmark
  public String plainCall() throws RemoteException {
    return stub.sayHello("world");
  }

  /** What the gateway does with a whole request, from its bytes to the verdict. */
  @Benchmark
  public List<Objection> judge() {
    ScanResult seen = scans.scan(call, 0, call.length);
    Verdict verdict = RequestGate.judge(call, Set.of(), seen::end);
    if (!(verdict instanceof Verdict.Forward forward)) {
      throw new IllegalStateException("no plain call: " + verdict);
    }
    List<Objection> objections = rules.object(forward.header().object(), received -> true);
    return objections.isEmpty()
        ? rules.call(forward.header(), seen, call, reference -> false, list -> true)
        : objections;
  }
}
