package io.rmigate.gateway.container.probe;

import io.rmigate.sample.Everything;
import io.rmigate.sample.Hello;
import java.rmi.NotBoundException;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;

/**
 * Where the things to call are, as the client names them.
 *
 * @param host of all of them; cannot be resolved outside
 * @param forbiddenHost no policy allows it
 * @param missingHost cannot be resolved by anybody, but would be allowed
 * @param samplePort registry of the sample server
 * @param jmxPort registry of the management
 * @param deadPort a port at which no program listens
 * @param foreignPort the server there does not speak JRMP
 * @param connects how many connections the case about many of them makes
 * @param jmxSeconds how long notifications are exchanged
 */
public record Inside(
    String host,
    String forbiddenHost,
    String missingHost,
    int samplePort,
    int jmxPort,
    int deadPort,
    int foreignPort,
    int connects,
    int jmxSeconds) {

  /** As program arguments, in the order of the components. */
  public String[] toArguments() {
    return new String[] {
      host,
      forbiddenHost,
      missingHost,
      Integer.toString(samplePort),
      Integer.toString(jmxPort),
      Integer.toString(deadPort),
      Integer.toString(foreignPort),
      Integer.toString(connects),
      Integer.toString(jmxSeconds)
    };
  }

  static Inside fromArguments(String[] args) {
    return new Inside(
        args[0],
        args[1],
        args[2],
        Integer.parseInt(args[3]),
        Integer.parseInt(args[4]),
        Integer.parseInt(args[5]),
        Integer.parseInt(args[6]),
        Integer.parseInt(args[7]),
        Integer.parseInt(args[8]));
  }

  Registry registry() throws RemoteException {
    return LocateRegistry.getRegistry(host, samplePort);
  }

  Everything everything() throws RemoteException, NotBoundException {
    return (Everything) registry().lookup(Everything.NAME);
  }

  Hello hello() throws RemoteException, NotBoundException {
    return (Hello) registry().lookup(Hello.NAME);
  }
}
