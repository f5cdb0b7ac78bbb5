package io.rmigate.gateway.container.failover;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Arguments: the port of the registry, and another one for all objects. Prints {@code ledger
 * ready}; then, for each line of standard input:
 *
 * <pre>
 * tally    tally &lt;calls&gt; &lt;calls that were executed more than once&gt; &lt;calls that are held&gt;
 * letgo    tally …, when what was held has been let go
 * </pre>
 *
 * Ends with its input.
 */
public final class LedgerServer implements Ledger {
  private static final Map<Long, Integer> EXECUTED = new ConcurrentHashMap<>();
  private static final AtomicInteger HELD = new AtomicInteger();
  private static final CountDownLatch LET_GO = new CountDownLatch(1);

  private final int port;

  private LedgerServer(int port) {
    this.port = port;
  }

  @Override
  public byte[] count(long id, byte[] payload) {
    EXECUTED.merge(id, 1, Integer::sum);
    return payload;
  }

  @Override
  public void hold(long id) {
    EXECUTED.merge(id, 1, Integer::sum);
    HELD.incrementAndGet();
    try {
      LET_GO.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      HELD.decrementAndGet();
    }
  }

  @Override
  public Ledger another() throws RemoteException {
    LedgerServer another = new LedgerServer(port);
    UnicastRemoteObject.exportObject(another, port);
    return another; // not its stub, which does not keep it until it is in the reply
  }

  /** Runs until its input ends. */
  public static void main(String[] args) throws Exception {
    int port = Integer.parseInt(args[1]);
    LedgerServer first = new LedgerServer(port);
    Registry registry = LocateRegistry.createRegistry(Integer.parseInt(args[0]));
    registry.bind(Ledger.NAME, UnicastRemoteObject.exportObject(first, port));
    System.out.println("ledger ready");
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.equals("letgo")) {
        LET_GO.countDown();
      }
      long again = EXECUTED.values().stream().filter(times -> times > 1).count();
      System.out.println("tally " + EXECUTED.size() + " " + again + " " + HELD);
    }
  }
}
