package io.rmigate.gateway.container.services;

import java.nio.charset.StandardCharsets;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Random;

/** A server that takes long arguments, and its client, for {@link LongArgumentIT}. */
public final class LongArgument {
  private static final int BYTES = 100_000_000;
  private static final int CHARS = 30_000_000;

  private LongArgument() {}

  /** What the jar has. */
  public interface Digests extends Remote {
    /** Of all of them, one behind the other. */
    String of(String before, byte[] bytes, int number, String behind) throws RemoteException;
  }

  private static final class Computed implements Digests {
    @Override
    public String of(String before, byte[] bytes, int number, String behind) {
      try {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        digest.update(before.getBytes(StandardCharsets.UTF_8));
        digest.update(bytes);
        digest.update((byte) number);
        digest.update(behind.getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().formatHex(digest.digest());
      } catch (NoSuchAlgorithmException impossible) {
        throw new AssertionError(impossible);
      }
    }
  }

  /** Without arguments the server; else a client of the registry at that host and port. */
  public static void main(String[] args) throws Exception {
    Computed computed = new Computed();
    if (args.length == 0) {
      Registry registry = LocateRegistry.createRegistry(0);
      registry.rebind("digests", UnicastRemoteObject.exportObject(computed, 0));
      String shown = registry.toString();
      System.out.println("serving " + shown.replaceAll(".*endpoint:\\[[^]]*:(\\d+)].*", "$1"));
      Thread.currentThread().join();
    }
    Registry registry = LocateRegistry.getRegistry(args[0], Integer.parseInt(args[1]));
    Digests digests = (Digests) registry.lookup("digests");
    byte[] bytes = new byte[BYTES];
    new Random(7).nextBytes(bytes);
    String behind = "\u20ac".repeat(CHARS / 3) + "end";
    boolean same =
        digests.of("before", bytes, 7, behind).equals(computed.of("before", bytes, 7, behind));
    System.out.println(same ? "the same" : "another");
    System.exit(0);
  }
}
