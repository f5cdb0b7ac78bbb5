package io.rmigate.gateway.container.callbacks;

import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The tower. Argument: the port of its registry. Prints {@code tower ready}. Rings by itself on
 * {@code ring NAME}, is hostile on {@code hide NAME NAME} ({@link HiddenCall}), and answers {@code
 * rang …}. Collects garbage all the time.
 */
public final class TowerServer implements Tower {
  private final Map<String, Bell> bells = new ConcurrentHashMap<>();

  @Override
  public void hang(String name, Bell bell) {
    bells.put(name, bell);
  }

  @Override
  public String ring(String name) {
    try {
      return bells.get(name).ring();
    } catch (RemoteException failed) {
      return "failed with " + failed.getClass().getSimpleName();
    }
  }

  @Override
  public Bell give(String name) {
    return bells.get(name);
  }

  @Override
  public void take(String name) {
    bells.remove(name);
  }

  /** See above. */
  public static void main(String[] arguments) throws Exception {
    TowerServer tower = new TowerServer();
    Registry registry = LocateRegistry.createRegistry(Integer.parseInt(arguments[0]));
    registry.bind(NAME, UnicastRemoteObject.exportObject(tower, 0));
    System.out.println("tower ready");
    Commands.collectGarbage();
    Commands.obey(
        words ->
            words[0].equals("hide")
                ? "rang " + HiddenCall.send(tower.bells.get(words[1]), tower.bells.get(words[2]))
                : "rang " + tower.ring(words[1]));
  }
}
