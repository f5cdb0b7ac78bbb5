package io.rmigate.gateway.container.leases;

import static io.rmigate.gateway.container.leases.Holding.ask;
import static io.rmigate.gateway.container.leases.LeaseBed.SOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.LeftoverCheck;
import io.rmigate.testing.LoopbackPort;
import io.rmigate.testing.Tier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Many clients take, share, pass on, drop and take again references to the objects of two servers
 * under a lease of four seconds, while links are cut and clients killed; each client has a thread
 * that does so without a pause beside ({@link Churn}). At every step an object that a client holds
 * must answer, as the same object, and no server may have been told that it is unreferenced. In the
 * end each server has been told of every object that was ever called.
 *
 * <p>Seconds by default; {@code -Drmigate.leases.minutes=5} for longer, {@code
 * -Drmigate.leases.seed=…} for the same again as far as clocks and processes let it be the same.
 */
@Tag(Tier.FULL)
@ExtendWith(LeftoverCheck.class)
class LeaseStormIT {
  /** What one client each is like. */
  private static final List<String> CLIENTS =
      List.of("", ",leases=strict", ",compression=on,lookups=on", ",grace=0s");

  /** Taken again and again while their last holder's clean is under way. */
  private static final int HOT_NAMES = 10;

  /** Most of these are held by no client, so that objects come and go. */
  private static final int NAMES = 400;

  /** Number of sessions that end one after the other; the agent's pauses between attempts grow. */
  private static final int SHORT_SESSIONS = 7;

  /** Short, yet a machine that is busy with other tests may stop for a second. */
  private static final long LEASE_MILLIS = 4_000;

  private final long seed = Long.getLong("rmigate.leases.seed", System.nanoTime());
  private final Duration time =
      Integer.getInteger("rmigate.leases.minutes", 0) == 0
          ? Duration.ofSeconds(12)
          : Duration.ofMinutes(Integer.getInteger("rmigate.leases.minutes"));
  private final Random random = new Random(seed);
  private final List<ChildJvm> clients = new ArrayList<>();
  private final List<ChildJvm> keepers = new ArrayList<>();
  private final int[] ports;
  private final HeldTokens model = new HeldTokens();
  private final Map<String, Integer> done = new TreeMap<>();
  private LeaseBed bed;

  LeaseStormIT() throws Exception {
    ports = new int[] {LoopbackPort.free(), LoopbackPort.free()};
  }

  @AfterEach
  void stopEverything() throws Exception {
    if (bed != null) {
      bed.close();
    }
  }

  @Test
  void whateverIsHeldAnswersAndNothingIsLeaked() throws Exception {
    System.out.println("lease storm: seed " + seed + ", " + time.toSeconds() + " s");
    Path directory = BuiltArtefacts.workDirectory(getClass());
    bed = LeaseBed.ofAnyObjects(Files.createDirectories(directory), "session: {grace: 5s}");
    for (int port : ports) {
      keepers.add(bed.keeper(port, LEASE_MILLIS));
    }
    for (String mode : CLIENTS) {
      clients.add(client(mode));
    }
    long end = System.nanoTime() + time.toNanos();
    for (int step = 1; System.nanoTime() < end; step++) {
      act(random.nextInt(clients.size()));
      if (step == 50) { // however short the storm is
        kill(clients.size() - 1);
        cut();
        endOneSessionAfterTheOther(clients.size() - 1);
      }
      if (step % 100 == 0) {
        nothingHeldIsUnreferenced();
      }
    }
    for (int i = 0; i < clients.size(); i++) {
      callAll(i);
      insist(i, "calm");
    }
    nothingHeldIsUnreferenced();
    letGoOfEverything();
    for (ChildJvm keeper : keepers) {
      everythingCalledIsUnreferenced(keeper);
    }
    for (ChildJvm keeper : keepers) {
      nothingIsKept(keeper);
    }
    // What is left are the clients' stubs of the keepers themselves, and the watch's on their
    // names.
    bed.awaitLeases((clients.size() + 1L) * keepers.size());
    System.out.println("lease storm: seed " + seed + " passed: " + done);
  }

  private ChildJvm client(String mode) throws Exception {
    ChildJvm client = bed.client(ports[0], mode);
    Holding.tell(client, "turn " + ports[1]);
    Holding.tell(
        client,
        (mode.isEmpty() ? "churn a " : "churn b ") + seed); // one for itself, the others together
    for (int port : ports) {
      awaitGranted(client, port);
    }
    return client;
  }

  /** What names the keeper's endpoint is granted that, which a cut could lose until then. */
  private static void awaitGranted(ChildJvm client, int port) throws Exception {
    Holding.tell(client, "turn " + port);
    Holding.haveKeeperGranted(client, "granted.");
    Holding.tell(client, "drop granted.");
  }

  private void act(int i) throws Exception {
    int what = random.nextInt(300);
    if (what < 80) {
      String name = "n" + random.nextInt(random.nextBoolean() ? HOT_NAMES : NAMES) + ".";
      take(i, home(name), "take", name);
    } else if (what < 150) {
      dropAny(i);
    } else if (what < 200) {
      callAll(i);
    } else if (what < 230) {
      giveAny(i);
    } else if (what < 262) {
      fetchAny(i, random.nextInt(ports.length));
    } else if (what < 293) {
      forgetAny(i, random.nextInt(ports.length));
    } else if (what < 299) {
      cut();
    } else {
      kill(i);
    }
  }

  private void cut() {
    bed.relay().cut();
    count("cut");
  }

  /** Of a client that cannot resume: what it holds has to be declared anew in time, each time. */
  private void endOneSessionAfterTheOther(int i) throws Exception {
    take(i, 0, "take", "n0.");
    for (int n = 0; n < SHORT_SESSIONS; n++) {
      cut();
      turn(i, 0);
      callAll(i);
    }
  }

  private void kill(int i) throws Exception {
    model.dropAll(holder(i));
    clients.get(i).kill();
    count("kill");
    clients.set(i, client(CLIENTS.get(i)));
  }

  /** Tokens of even numbers are the first keeper's; the other one passes them on. */
  private static int home(String name) {
    return Integer.parseInt(name.substring(1, name.length() - 1)) % 2;
  }

  private static String holder(int client) {
    return "client " + client;
  }

  private static String hand(int keeper) {
    return "keeper " + keeper;
  }

  private void take(int i, int keeper, String how, String name) throws Exception {
    turn(i, keeper);
    insist(i, how + " " + name);
    model.take(holder(i), name, insist(i, "call " + name));
  }

  private void dropAny(int i) throws Exception {
    for (String name : anyOf(holder(i))) {
      model.drop(holder(i), name);
      insist(i, "drop " + name);
    }
  }

  private void callAll(int i) throws Exception {
    for (var held : model.of(holder(i)).entrySet()) {
      assertThat(insist(i, "call " + held.getKey()))
          .as("seed %s: what client %s holds", seed, i)
          .isEqualTo(held.getValue());
    }
  }

  private void giveAny(int i) throws Exception {
    for (String name : anyOf(holder(i))) {
      int keeper = 1 - home(name);
      turn(i, keeper);
      insist(i, "give " + name);
      model.take(hand(keeper), name, model.of(holder(i)).get(name));
    }
  }

  private void fetchAny(int i, int keeper) throws Exception {
    for (String name : anyOf(hand(keeper))) {
      take(i, keeper, "fetch", name);
    }
  }

  private void forgetAny(int i, int keeper) throws Exception {
    for (String name : anyOf(hand(keeper))) {
      forget(i, keeper, name);
    }
  }

  private void forget(int i, int keeper, String name) throws Exception {
    model.drop(hand(keeper), name);
    turn(i, keeper);
    insist(i, "forget " + name);
  }

  /** One of the tokens held; none if there is none. */
  private List<String> anyOf(String holder) {
    List<String> held = List.copyOf(model.of(holder).keySet());
    return held.isEmpty() ? held : List.of(held.get(random.nextInt(held.size())));
  }

  private void turn(int i, int keeper) throws Exception {
    insist(i, "turn " + ports[keeper]);
  }

  private void letGoOfEverything() throws Exception {
    for (int keeper = 0; keeper < ports.length; keeper++) {
      for (String name : model.of(hand(keeper)).keySet()) {
        forget(0, keeper, name);
      }
    }
    for (int i = 0; i < clients.size(); i++) {
      insist(i, "dropall");
    }
  }

  private void nothingHeldIsUnreferenced() {
    Map<String, Integer> unreferenced = new HashMap<>();
    for (ChildJvm keeper : keepers) {
      said(keeper, "unreferenced ").forEach(object -> unreferenced.merge(object, 1, Integer::sum));
    }
    model.check(unreferenced);
  }

  private void everythingCalledIsUnreferenced(ChildJvm keeper) {
    Set<String> called = new TreeSet<>(said(keeper, "called "));
    done.merge("objects", called.size(), Integer::sum);
    await()
        .alias("seed " + seed + ": objects that " + keeper + " was not told of")
        .atMost(SOON)
        .until(
            () -> {
              Set<String> left = new TreeSet<>(called);
              left.removeAll(said(keeper, "unreferenced "));
              return left;
            },
            Set::isEmpty);
  }

  /** An object that was taken again before it was collected could be held for ever by then. */
  private void nothingIsKept(ChildJvm keeper) {
    await()
        .alias("seed " + seed + ": objects that " + keeper + " keeps")
        .atMost(SOON)
        .until(() -> ask(keeper, "alive"), "done 0"::equals);
  }

  private static List<String> said(ChildJvm keeper, String what) {
    return keeper.output().stream()
        .filter(line -> line.startsWith(what))
        .map(line -> line.substring(what.length()))
        .toList();
  }

  /**
   * A cut link may fail a call once or twice; that an object is gone is never an answer.
   *
   * @return what is answered after "done "
   */
  private String insist(int i, String command) throws Exception {
    String answer = "";
    for (int attempt = 0; attempt < 5; attempt++) {
      answer = ask(clients.get(i), command);
      assertThat(answer)
          .as("seed %s: %s of %s", seed, command, clients.get(i))
          .doesNotContain("NoSuchObjectException")
          .doesNotContain("answers for");
      List<String> words = List.of(command.split(" ", -1));
      if (answer.startsWith("done ")) {
        count(words.get(0));
        return answer.substring("done ".length());
      }
      count("failed");
      if (words.get(0).equals("take") || words.get(0).equals("fetch")) {
        model.perhaps(words.get(1));
      }
    }
    throw new AssertionError("seed " + seed + ": " + command + ": " + answer);
  }

  private void count(String what) {
    done.merge(what, 1, Integer::sum);
  }
}
