package io.rmigate.gateway.container.services;

import io.rmigate.sample.Counter;
import io.rmigate.sample.Everything;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.rmi.NotBoundException;
import java.rmi.Remote;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.RemoteObjectInvocationHandler;
import java.rmi.server.UnicastRemoteObject;
import java.util.Collections;

/**
 * A client of RMI, for {@link AuditIT}: host and port of the registry, a call id, and how many
 * calls to make with it. Then it is called once itself, and tries what it may not, each thing once.
 */
public final class AuditedClient {
  /** No method of any interface. */
  static final long UNKNOWN_HASH = 4711;

  /** Number of references that take more bytes than a call may have. */
  private static final int TOO_MANY = 20_000;

  private AuditedClient() {}

  /** Says {@code calls answered}, {@code called back}, and of each attack that it is refused. */
  public static void main(String[] args) throws Exception {
    Registry registry = LocateRegistry.getRegistry(args[0], Integer.parseInt(args[1]));
    Everything everything = (Everything) registry.lookup("Everything");
    for (int i = 0; i < Integer.parseInt(args[3]); i++) {
      everything.execute(args[2]);
    }
    System.out.println("calls answered");
    Own own = new Own();
    if (everything.incrementFor((Counter) UnicastRemoteObject.exportObject(own, 0)) == 1) {
      System.out.println("called back");
    }
    UnicastRemoteObject.unexportObject(own, true);
    Everything never = neverGiven(everything, args[0]);
    attack("class", () -> everything.echo(new Unlisted()));
    attack("reference", () -> everything.echo(LocateRegistry.getRegistry("far.example", 7)));
    attack("method", () -> callUnknownMethod(everything));
    attack("object", () -> never.execute(args[2]));
    attack("length", () -> everything.echo(Collections.nCopies(TOO_MANY, 1).toArray()));
    attack("name", () -> registry.lookup("Secret"));
    attack("bind", () -> registry.rebind("evil", everything));
    System.out.println("over");
    System.exit(0);
  }

  /** Mentioned by no signature. */
  private static final class Unlisted implements Serializable {
    private static final long serialVersionUID = 1L;

    /** More than a look at values: the class is not proven harmless. */
    private Object readResolve() {
      System.setProperty("rmigate.test.unlisted", "read");
      return this;
    }
  }

  /** What may be refused. */
  private interface Attack {
    void run() throws Exception;
  }

  private static void attack(String name, Attack attack) throws Exception {
    try {
      attack.run();
      System.out.println(name + " permitted");
    } catch (IOException | NotBoundException refused) {
      System.out.println(name + " refused");
    }
  }

  private static void callUnknownMethod(Everything everything) throws Exception {
    ((RemoteObjectInvocationHandler) Proxy.getInvocationHandler(everything))
        .getRef()
        .invoke(
            everything,
            Everything.class.getMethod("unreferencedCounters"),
            new Object[0],
            UNKNOWN_HASH);
  }

  /** A stub of another object at the same endpoint: its number stands behind host and port. */
  private static Everything neverGiven(Everything given, String host)
      throws IOException, ClassNotFoundException {
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(written)) {
      out.writeObject((Remote) given);
    }
    byte[] stub = written.toByteArray();
    int number =
        new String(stub, StandardCharsets.ISO_8859_1).indexOf(host)
            + host.length()
            + Integer.BYTES; // of the port
    stub[number + Long.BYTES - 1] ^= 1;
    try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(stub))) {
      return (Everything) in.readObject();
    }
  }

  /** An object of this JVM. */
  private static final class Own implements Counter {
    private int count;

    @Override
    public synchronized int increment() {
      return ++count;
    }

    @Override
    public void unexport() {
      throw new UnsupportedOperationException();
    }
  }
}
