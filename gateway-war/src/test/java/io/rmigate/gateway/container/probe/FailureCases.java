package io.rmigate.gateway.container.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.rmigate.sample.CheckedFailure;
import io.rmigate.sample.Counter;
import io.rmigate.sample.Everything;
import java.io.IOException;
import java.io.NotSerializableException;
import java.io.WriteAbortedException;
import java.lang.reflect.Proxy;
import java.rmi.MarshalException;
import java.rmi.NoSuchObjectException;
import java.rmi.RemoteException;
import java.rmi.ServerError;
import java.rmi.ServerException;
import java.rmi.UnmarshalException;
import java.rmi.server.RemoteObjectInvocationHandler;

/** What a caller is told when a call fails, and that the next one works. */
final class FailureCases {
  private final Everything everything;

  FailureCases(Inside inside) throws Exception {
    everything = inside.everything();
  }

  private void stillWorks() throws RemoteException {
    assertThat(everything.echoInt(42)).isEqualTo(42);
  }

  @Case
  void checkedExceptionsKeepFieldsCauseAndServerTrace() throws Exception {
    CheckedFailure failure =
        catchThrowableOfType(CheckedFailure.class, () -> everything.failChecked("checked"));
    assertThat(failure)
        .hasMessage("checked")
        .hasCauseExactlyInstanceOf(IOException.class)
        .hasRootCauseMessage("disk is full");
    assertThat(failure.code()).isEqualTo(42);
    // Both halves of the way: where it was thrown and who called from here.
    assertThat(failure.getStackTrace())
        .anyMatch(frame -> frame.getClassName().equals("io.rmigate.sample.EverythingServant"))
        .anyMatch(frame -> frame.getClassName().equals(FailureCases.class.getName()));
    stillWorks();
  }

  @Case
  void uncheckedExceptionsKeepCauseAndSuppressed() throws Exception {
    IllegalStateException failure =
        catchThrowableOfType(IllegalStateException.class, () -> everything.failUnchecked("no"));
    assertThat(failure).hasMessage("no").hasCauseExactlyInstanceOf(IllegalArgumentException.class);
    assertThat(failure.getSuppressed()).singleElement().isInstanceOf(ArithmeticException.class);
    stillWorks();
  }

  @Case
  void errorsOfTheServerAreServerErrors() throws Exception {
    assertThatThrownBy(() -> everything.failWithError("deep"))
        .isExactlyInstanceOf(ServerError.class)
        .hasCauseExactlyInstanceOf(StackOverflowError.class)
        .hasRootCauseMessage("deep");
    stillWorks();
  }

  @Case
  void remoteExceptionsOfTheServerAreServerExceptions() throws Exception {
    assertThatThrownBy(() -> everything.failRemote("behind"))
        .isExactlyInstanceOf(ServerException.class)
        .hasCauseExactlyInstanceOf(RemoteException.class)
        .hasRootCauseMessage("the server behind the server");
    stillWorks();
  }

  /** The header of a normal return is out when the failure is noticed (JRMP.md 1.3). */
  @Case
  void unserializableResultsAreUnmarshalExceptions() throws Exception {
    assertThatThrownBy(everything::unserializableResult)
        .isExactlyInstanceOf(UnmarshalException.class)
        .hasCauseExactlyInstanceOf(WriteAbortedException.class)
        .hasRootCauseExactlyInstanceOf(NotSerializableException.class);
    stillWorks();
  }

  @Case
  void unserializableArgumentsAreMarshalExceptions() throws Exception {
    assertThatThrownBy(() -> everything.echo(new Object()))
        .isExactlyInstanceOf(MarshalException.class)
        .hasCauseExactlyInstanceOf(NotSerializableException.class);
    // By now part of the call may have been on its way.
    assertThatThrownBy(() -> everything.echo(new Object[] {new byte[1_000_000], new Object()}))
        .isExactlyInstanceOf(MarshalException.class)
        .hasCauseExactlyInstanceOf(NotSerializableException.class);
    stillWorks();
  }

  @Case
  void deadObjectsAreNoSuchObjectExceptions() throws Exception {
    Counter counter = everything.newCounter(1);
    assertThat(counter.increment()).isEqualTo(2);
    counter.unexport();
    assertThatThrownBy(counter::increment).isExactlyInstanceOf(NoSuchObjectException.class);
    stillWorks();
  }

  /** As when the client was built against a newer interface. */
  @Case
  void methodsTheServerLacksAreServerExceptions() throws Exception {
    Newer newer =
        (Newer)
            Proxy.newProxyInstance(
                Newer.class.getClassLoader(),
                new Class<?>[] {Newer.class},
                new RemoteObjectInvocationHandler(
                    ((RemoteObjectInvocationHandler) Proxy.getInvocationHandler(everything))
                        .getRef()));
    assertThatThrownBy(() -> newer.unheardOf("argument"))
        .isExactlyInstanceOf(ServerException.class)
        .hasCauseExactlyInstanceOf(UnmarshalException.class)
        .hasMessageContaining("unrecognized method hash");
    stillWorks();
  }
}
