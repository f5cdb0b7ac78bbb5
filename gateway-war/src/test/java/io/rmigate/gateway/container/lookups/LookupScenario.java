package io.rmigate.gateway.container.lookups;

import static io.rmigate.gateway.container.lookups.LookupBed.ask;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.LeftoverCheck;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;

/** A server, gateways and clients, and what lookups cost on the link, counted by a relay. */
@ExtendWith(LeftoverCheck.class)
abstract class LookupScenario {
  /** The gateway looks up a name only when a client asks for it. */
  static final String NO_POLL = "lookups:\n  poll: 1h\n";

  static final String GREETING = "Hello, World!";

  LookupBed bed;

  @BeforeEach
  void open() throws Exception {
    bed =
        new LookupBed(
            BuiltArtefacts.workDirectory(getClass()).resolve(Long.toString(System.nanoTime())));
  }

  @AfterEach
  void close() throws Exception {
    bed.close();
  }

  static void openLink(ChildJvm client) throws InterruptedException {
    assertThat(ask(client, "unbound")).isEqualTo("not bound");
  }
}
