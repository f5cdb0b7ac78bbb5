package io.rmigate.perf.papers;

import java.rmi.Remote;
import java.rmi.RemoteException;

/** The first example of Campadello et al.: the smallest call with a result. */
public interface HelloWorld extends Remote {
  /** The name it is bound under in the registry. */
  String NAME = "HelloWorld";

  /** "Hello World!": 41 bytes of invocation up and 37 down, as in the paper. */
  String sayHello() throws RemoteException;
}
