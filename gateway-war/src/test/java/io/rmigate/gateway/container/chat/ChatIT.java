package io.rmigate.gateway.container.chat;

import static io.rmigate.gateway.container.chat.ChatBed.SOON;
import static io.rmigate.gateway.container.chat.ChatBed.ask;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.CountingRelay.Counts;
import io.rmigate.gateway.testing.InsideHosts;
import io.rmigate.testing.LoopbackPort;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Stock RMI programs, unmodified on both sides, whose server calls its clients: all by way of the
 * gateway, whose clients have no port open.
 */
class ChatIT {
  private static final int TIMES = 50;

  @TempDir static Path directory;
  private static int explicitPort;
  private static int registryPort;
  private static ChatBed bed;

  @BeforeAll
  static void start() throws Exception {
    explicitPort = LoopbackPort.free();
    registryPort = LoopbackPort.free();
    bed =
        new ChatBed(
            directory,
            "allow:",
            "  - principals: ['*']",
            "    explicit: [%d, %d]".formatted(explicitPort, registryPort));
  }

  @AfterAll
  static void stop() throws Exception {
    bed.close();
  }

  @Test
  void everybodyHearsWhatIsSaidUntilTheyLeaveOrDie() throws Exception {
    try (ChildJvm ann = bed.member("ann");
        ChildJvm bob = bed.member("bob");
        ChildJvm cid = bed.member("cid")) {
      assertThat(ask(ann, "say hello")).isEqualTo("done 2");
      assertThat(ask(bob, "heard")).startsWith("done 1 [ann: hello]");
      assertThat(ask(cid, "heard")).startsWith("done 1 [ann: hello]");

      cid.kill();
      await().atMost(SOON).until(() -> ask(ann, "say again").equals("done 1"));
      assertThat(ask(bed.server(), "members")).isEqualTo("done [ann, bob]");
      ask(bob, "leave");
      assertThat(ask(ann, "say alone")).isEqualTo("done 0");
      ask(ann, "leave");
    }
  }

  @Test
  void steadyCallbackIsOneRoundTrip() throws Exception {
    try (ChildJvm dan = bed.member("dan")) {
      ask(bed.server(), "tell dan 3"); // connections are made
      Counts before = bed.relay().counts();
      assertThat(ask(bed.server(), "tell dan " + TIMES)).isEqualTo("done " + TIMES);

      Counts counted = bed.relay().counts().since(before);
      assertThat(counted.oneWays()).as(bed.relay().passages().toString()).isEqualTo(TIMES);
      assertThat(counted.roundTrips()).isBetween(TIMES - 1L, (long) TIMES);
      assertThat(ask(dan, "heard")).startsWith("done " + (TIMES + 3));
      ask(dan, "leave");
    }
  }

  @Test
  void pingpongWithANestedCallbackIsTwoRoundTrips() throws Exception {
    try (ChildJvm eve = bed.member("eve")) {
      ask(eve, "greet 3");
      Counts before = bed.relay().counts();
      assertThat(ask(eve, "greet " + TIMES)).isEqualTo("done");

      assertThat(bed.relay().counts().since(before).roundTrips())
          .as(bed.relay().passages().toString())
          .isEqualTo(2L * TIMES);
      ask(eve, "leave");
    }
  }

  @Test
  void callsNestFiftyDeepFromThirtyTwoThreads() throws Exception {
    try (ChildJvm fay = bed.member("fay")) {
      assertThat(ask(fay, "nest 50 32")).isEqualTo("done " + 50 * 32);
      assertThat(ask(fay, "nest 50 32")).isEqualTo("done " + 50 * 32);
      ask(fay, "leave");
    }
  }

  @Test
  void theCallerIsTheOneInsideAndNeverLoopback() throws Exception {
    try (ChildJvm gus = bed.member("gus")) {
      ask(bed.server(), "tell gus 1");
      String heard = ask(gus, "heard");
      assertThat(heard).doesNotContain("from none").doesNotContain("from 127.");
      ask(gus, "leave");
    }
  }

  @Test
  void ownStubIsCalledWithoutLeavingTheJvm() throws Exception {
    try (ChildJvm hal = bed.member("hal")) {
      ask(hal, "self"); // its stub is held from now on, or was anyhow
      Counts before = bed.relay().counts();
      assertThat(ask(hal, "self")).isEqualTo("done"); // asks the room for the stub
      assertThat(bed.relay().counts().since(before).roundTrips()).isEqualTo(1);
      assertThat(ask(hal, "heard")).contains("[hal: myself]");
      ask(hal, "leave");
    }
  }

  @Test
  void unexportedObjectIsNoSuchObjectAtTheServer() throws Exception {
    try (ChildJvm ian = bed.member("ian")) {
      ask(bed.server(), "tell ian 1");
      ask(ian, "unexport");
      assertThat(ask(bed.server(), "tell ian 1"))
          .startsWith("failed java.rmi.NoSuchObjectException");
      ask(ian, "leave");
    }
  }

  @Test
  void explicitPortIsThatVeryOneAndASecondOneIsInUse() throws Exception {
    String atGateway = ",callbacks-hostname=jvm,export=" + explicitPort;
    try (ChildJvm jim = bed.client("jim", explicitPort, atGateway)) {
      assertThat(jim.output())
          .anyMatch(line -> line.contains(InsideHosts.INSIDE + ":" + explicitPort));
      ask(jim, "join");
      assertThat(ask(bed.server(), "tell jim 2")).isEqualTo("done 2");
      try (ChildJvm kim = bed.client("kim", explicitPort, atGateway)) {
        kim.awaitLine(Pattern.compile("failed java.rmi.server.ExportException.*in use"), SOON);
      }
      ask(jim, "leave");
    }
  }

  @Test
  void registryOfAClientIsFoundInsideAndChangedByNobody() throws Exception {
    // a local registry would be found without the gateway here, on the machine of all
    String atGateway = ",callbacks-hostname=jvm,export=0|" + registryPort;
    try (ChildJvm leo = bed.client("leo", 0, atGateway)) {
      assertThat(ask(leo, "registry " + registryPort)).isEqualTo("done");
      String registry = InsideHosts.INSIDE + " " + registryPort;
      assertThat(ask(bed.server(), "list " + registry)).isEqualTo("done listener");
      assertThat(ask(bed.server(), "rebind " + registry))
          .startsWith("failed java.rmi.ServerException")
          .doesNotContain("done");
    }
  }

  @Test
  void aCutLinkCostsNoPort() throws Exception {
    try (ChildJvm mia = bed.member("mia")) {
      for (int cut = 1; cut <= 3; cut++) {
        bed.relay().cut();
        assertThat(ask(bed.server(), "tell mia 1")).isEqualTo("done 1");
      }
      assertThat(ask(mia, "heard")).startsWith("done 3");
      ask(mia, "leave");
    }
  }

  @Test
  void aGatewayThatHasDiedGivesThePortBackAfterItsRestart() throws Exception {
    long written = bed.portsWrittenDown();
    try (ChildJvm ned = bed.member("ned")) {
      assertThat(ask(bed.server(), "tell ned 1")).isEqualTo("done 1");
      // whose port is whose is written down a moment later
      await().atMost(SOON).until(() -> bed.portsWrittenDown() > written);
      // and so is what the next gateway is shown of what ned was given
      await().atMost(SOON).until(() -> bed.gateway().metric("rmigate_grants_objects_total") > 0);
      bed.gateway().kill();
      bed.gateway().startAgain();
      await().atMost(SOON).until(() -> ask(bed.server(), "tell ned 1").equals("done 1"));
      ask(ned, "leave");
    }
  }
}
