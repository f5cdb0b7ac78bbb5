package io.rmigate.client.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rmigate.testing.Patience;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.rmi.NoSuchObjectException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is recorded and marshalled, and calls within this JVM: past every gateway. */
class AsyncStubTest {
  private final Servant servant = new Servant();
  private Clock stub;
  private AsyncStub<Clock> async;

  /** Any remote interface. */
  interface Clock extends Remote {
    long time(String zone, int offset) throws RemoteException;

    List<String> zones(List<String> among) throws IOException;

    void stop() throws RemoteException;
  }

  private static final class Servant implements Clock {
    private final CountDownLatch stopped = new CountDownLatch(1);

    @Override
    public long time(String zone, int offset) {
      return (long) zone.length() + offset;
    }

    @Override
    public List<String> zones(List<String> among) throws IOException {
      if (among.isEmpty()) {
        throw new IOException("none");
      }
      return among;
    }

    @Override
    public void stop() {
      try {
        assertThat(stopped.await(Patience.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      } catch (InterruptedException unexpected) {
        throw new AssertionError(unexpected);
      }
    }
  }

  @BeforeEach
  void export() throws RemoteException {
    stub = (Clock) UnicastRemoteObject.exportObject(servant, 0);
    async = AsyncStub.of(stub);
  }

  @AfterEach
  void unexport() throws NoSuchObjectException {
    servant.stopped.countDown();
    UnicastRemoteObject.unexportObject(servant, true);
  }

  @Test
  void methodsHaveTheHashesOfTheSpecification() throws Exception {
    assertThat(MethodHash.of(Registry.class.getMethod("lookup", String.class)))
        .isEqualTo(-7538657168040752697L);
    assertThat(MethodHash.of(Registry.class.getMethod("list"))).isEqualTo(2571371476350237748L);
    assertThat(MethodHash.of(Registry.class.getMethod("bind", String.class, Remote.class)))
        .isEqualTo(7583982177005850366L);
  }

  @Test
  void aStubOfRmicIsCalledByItsInterfaces() throws Exception {
    StubReference registry = StubReference.of(LocateRegistry.getRegistry("a.example", 1100));

    assertThat(registry.server()).isEqualTo(new StubReference.Server("a.example", 1100, null));
    assertThat(registry.object()).containsOnly(0).hasSize(22);
    assertThat(registry.interfaces()).contains(Registry.class);
  }

  @Test
  void onlyStubsAreCalled() {
    assertThatThrownBy(() -> AsyncStub.of(servant)).isInstanceOf(IllegalArgumentException.class);
    Clock other =
        (Clock)
            Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Clock.class}, (of, on, with) -> null);
    assertThatThrownBy(() -> AsyncStub.of(other)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aFunctionCallsOneRemoteMethodAndDoesNothingWithItsResult() {
    assertThatThrownBy(() -> async.call(clock -> 7)).hasMessageContaining("no remote method");
    assertThatThrownBy(() -> async.call(clock -> clock.time("", 1) + clock.time("", 2)))
        .hasMessageContaining("return the result as it is")
        .hasRootCauseInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> async.call(clock -> clock.zones(List.of("a")).size()))
        .hasMessageContaining("return the result as it is");
    assertThatThrownBy(
            () ->
                async.call(
                    clock -> {
                      throw new IOException("before");
                    }))
        .hasMessageContaining("before it called");
  }

  @Test
  void resultsAndDeclaredExceptionsComeInTheFuture() throws Exception {
    AsyncCall<Long> time = async.call(clock -> clock.time("zone", 3));
    AsyncCall<List<String>> zones = async.call(clock -> clock.zones(List.of("a", "b")));
    AsyncCall<List<String>> none = async.call(clock -> clock.zones(List.of()));

    assertThat(time.get(Patience.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(7L);
    assertThat(zones.join()).containsExactly("a", "b");
    assertThatThrownBy(none::join)
        .isInstanceOf(CompletionException.class)
        .cause()
        .isExactlyInstanceOf(IOException.class)
        .hasMessage("none");
    assertThat(none.execution()).isEqualTo(Execution.EXECUTED);
  }

  @Test
  void anExecutorThatRunsTasksAtOnceDoes() {
    Executor here = Runnable::run;

    assertThat(async.withExecutor(here).call(clock -> clock.time("", 1)).join()).isEqualTo(1L);
  }

  @Test
  void whatWaitsForItsTurnIsNotExecutedWhenItIsGivenUp() {
    AsyncStub<Clock> one = async.withConcurrency(1);
    AsyncCall<Void> first = one.run(Clock::stop);
    AsyncCall<Long> cancelled = one.call(clock -> clock.time("", 1));
    AsyncCall<Long> completed = one.call(clock -> clock.time("", 2));
    AsyncCall<Long> last = one.call(clock -> clock.time("", 3));

    assertThat(cancelled.cancel(false)).isTrue();
    assertThat(completed.complete(20L)).isTrue();
    servant.stopped.countDown();
    assertThat(first.join()).isNull();
    assertThat(last.join()).isEqualTo(3L);
    assertThat(last.cancel(false)).isFalse();
    assertThat(cancelled.execution()).isEqualTo(Execution.NOT_EXECUTED);
    assertThat(completed.execution()).isEqualTo(Execution.NOT_EXECUTED);
    assertThat(completed.join()).isEqualTo(20L);
    assertThat(last.execution()).isEqualTo(Execution.EXECUTED);
  }

  @Test
  void anObjectThatHasGoneWasNotCalled() throws Exception {
    assertThat(async.call(clock -> clock.time("", 1)).join()).isEqualTo(1L);
    UnicastRemoteObject.unexportObject(servant, true);
    AsyncCall<Long> gone = async.call(clock -> clock.time("", 1));

    assertThatThrownBy(gone::join).cause().isInstanceOf(NoSuchObjectException.class);
    assertThat(gone.execution()).isEqualTo(Execution.NOT_EXECUTED);
    UnicastRemoteObject.exportObject(servant, 0);
  }

  @Test
  void boundsAreChecked() {
    assertThatThrownBy(() -> async.withConcurrency(0)).hasMessageContaining("1 to 512");
    assertThatThrownBy(() -> async.withConcurrency(513)).hasMessageContaining("1 to 512");
    assertThatThrownBy(() -> ReadAhead.of(async, clock -> clock.time("", 1), 257))
        .hasMessageContaining("1 to 256");
  }
}
