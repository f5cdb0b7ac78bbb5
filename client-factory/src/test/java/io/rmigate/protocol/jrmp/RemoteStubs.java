package io.rmigate.protocol.jrmp;

import java.rmi.NoSuchObjectException;
import java.rmi.Remote;
import java.rmi.server.RemoteObject;

/** Stubs of exported objects. */
public final class RemoteStubs {

  /** The stub when it is exported, else the object itself. */
  public static Object stubOf(Remote remote) {
    try {
      return RemoteObject.toStub(remote);
    } catch (NoSuchObjectException notExported) {
      return remote;
    }
  }

  private RemoteStubs() {}
}
