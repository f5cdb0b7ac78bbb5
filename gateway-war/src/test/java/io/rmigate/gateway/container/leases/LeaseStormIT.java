package io.rmigate.gateway.container.leases;

import static io.rmigate.gateway.container.leases.LeaseBed.SOON;
import static io.rmigate.gateway.container.leases.LeaseBed.ask;
import static io.rmigate.gateway.container.leases.LeaseBed.freePort;
import static io.rmigate.gateway.container.leases.LeaseBed.unreferenced;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.LeftoverCheck;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Many clients take, share, drop and take again references under a lease of two seconds, while
 * links are cut and clients killed. Whatever a client holds answers; in the end the server has been
 * told of every object that nobody holds it.
 *
 * <p>Seconds by default; {@code -Drmigate.leases.minutes=5} for longer, {@code
 * -Drmigate.leases.seed=…} for the same again as far as clocks and processes let it be the same.
 */
@ExtendWith(LeftoverCheck.class)
class LeaseStormIT {
  private static final int CLIENTS = 3;
  private static final int NAMES = 40;
  private static final long LEASE_MILLIS = 2_000;

  /** A client, and what it holds by the model. */
  private static final class Holder {
    ChildJvm jvm;
    final Set<String> held = new TreeSet<>();
  }

  private final long seed = Long.getLong("rmigate.leases.seed", System.nanoTime());
  private final Duration time =
      Integer.getInteger("rmigate.leases.minutes", 0) == 0
          ? Duration.ofSeconds(12)
          : Duration.ofMinutes(Integer.getInteger("rmigate.leases.minutes"));
  private final Random random = new Random(seed);
  private final List<Holder> holders = new ArrayList<>();
  private final Set<String> taken = new TreeSet<>();
  private final int keeperPort;
  private LeaseBed bed;

  LeaseStormIT() throws Exception {
    keeperPort = freePort();
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
    bed = new LeaseBed(Files.createDirectories(directory), "2s");
    ChildJvm keeper = bed.keeper(keeperPort, LEASE_MILLIS);
    for (int i = 0; i < CLIENTS; i++) {
      Holder holder = new Holder();
      holder.jvm = bed.client(keeperPort, "");
      holders.add(holder);
    }
    long end = System.nanoTime() + time.toNanos();
    for (int step = 0; System.nanoTime() < end; step++) {
      act(holders.get(random.nextInt(CLIENTS)), step);
    }
    for (Holder holder : holders) {
      for (String name : holder.held) {
        insist(holder, "call " + name);
      }
      insist(holder, "dropall");
    }
    for (String name : taken) {
      await()
          .alias("seed " + seed + ": server is told of " + name)
          .atMost(SOON)
          .until(() -> unreferenced(keeper, name + ".") > 0);
    }
    // What is left are the clients' stubs of the keeper itself.
    await()
        .alias("seed " + seed + ": leases left")
        .atMost(SOON)
        .until(() -> bed.metric("rmigate_leases") == CLIENTS);
  }

  private void act(Holder holder, int step) throws Exception {
    String name = "n" + random.nextInt(NAMES) + ".";
    switch (random.nextInt(20)) {
      case 0, 1, 2, 3, 4, 5, 6, 7 -> {
        insist(holder, "take " + name);
        holder.held.add(name);
        taken.add(name.substring(0, name.length() - 1));
      }
      case 8, 9, 10, 11, 12 -> {
        if (holder.held.remove(name)) {
          insist(holder, "drop " + name);
        }
      }
      case 13, 14, 15, 16, 17 -> {
        for (String held : holder.held) {
          insist(holder, "call " + held);
        }
      }
      case 18 -> bed.relay().cut();
      default -> {
        if (step % 7 == 0) {
          holder.jvm.kill();
          holder.held.clear();
          holder.jvm = bed.client(keeperPort, "");
        }
      }
    }
  }

  /** A cut link may fail a call once or twice; that an object is gone is never an answer. */
  private void insist(Holder holder, String command) throws Exception {
    String answer = "";
    for (int i = 0; i < 5; i++) {
      answer = ask(holder.jvm, command);
      assertThat(answer)
          .as("seed %s: %s of %s", seed, command, holder.jvm)
          .doesNotContain("NoSuchObjectException");
      if (answer.startsWith("done")) {
        return;
      }
    }
    throw new AssertionError("seed " + seed + ": " + command + ": " + answer);
  }
}
