package io.rmigate.gateway.container.lookups;

import static io.rmigate.gateway.container.lookups.LookupBed.ask;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.InsideHosts;
import io.rmigate.sample.Everything;
import io.rmigate.sample.Hello;
import org.junit.jupiter.api.Test;

/** How soon a change inside is seen, and what is looked up every time. */
class LookupChangesIT extends LookupScenario {
  @Test
  void aRebindInsideIsSeenWithTheNextPoll() throws Exception {
    bed.server(InsideHosts.INSIDE);
    bed.gateway("lookups:\n  poll: 1s\n");
    ChildJvm client = bed.client("");
    assertThat(ask(client, "look")).isEqualTo("[Hello]");
    bed.rebind(Everything.NAME, Hello.NAME);
    // The one after the next poll begins when the next has been told of.
    bed.awaitMetric(
        "rmigate_lookups_inside_total", bed.gateway().metric("rmigate_lookups_inside_total") + 2);
    assertThat(ask(client, "unbound")).isEqualTo("not bound"); // and what was sent before is here
    assertThat(bed.trips(client, "look", "[Everything]")).isZero();
  }

  @Test
  void anOwnRebindIsSeenAtOnce() throws Exception {
    bed.server(InsideHosts.INSIDE);
    bed.gateway(NO_POLL);
    ChildJvm client = bed.client("");
    assertThat(ask(client, "look")).isEqualTo("[Hello]");
    assertThat(ask(client, "rebind")).isEqualTo("rebound");
    assertThat(ask(client, "look")).isEqualTo("[Everything]");
  }

  @Test
  void whatIsNotBoundIsNotRemembered() throws Exception {
    bed.server(InsideHosts.INSIDE);
    bed.gateway(NO_POLL);
    ChildJvm client = bed.client("");
    assertThat(ask(client, "unbound")).isEqualTo("not bound");
    assertThat(bed.trips(client, "unbound", "not bound")).isEqualTo(1);
    bed.rebind(Hello.NAME, "Unbound");
    assertThat(bed.trips(client, "unbound", "found")).isEqualTo(1);
  }

  @Test
  void aListIsNotRemembered() throws Exception {
    bed.server(InsideHosts.INSIDE);
    bed.gateway(NO_POLL);
    ChildJvm client = bed.client("");
    assertThat(ask(client, "look")).isEqualTo("[Hello]");
    assertThat(ask(client, "list")).doesNotContain("Unbound");
    assertThat(bed.trips(client, "list", "Hello")).isEqualTo(1);
    bed.rebind(Hello.NAME, "Unbound");
    assertThat(bed.trips(client, "list", "Unbound")).isEqualTo(1);
  }

  @Test
  void namesThatAreExcludedAreLookedUpEveryTime() throws Exception {
    bed.server(InsideHosts.INSIDE);
    bed.gateway(NO_POLL + "  uncached: ['Every*']\n");
    ChildJvm client = bed.client("");
    assertThat(ask(client, "everything")).isEqualTo("[Everything]");
    assertThat(bed.trips(client, "everything", "[Everything]")).isEqualTo(1);
    ChildJvm own = bed.client(",uncached=Hel*");
    assertThat(ask(own, "look")).isEqualTo("[Hello]");
    assertThat(bed.trips(own, "look", "[Hello]")).isEqualTo(1);
    bed.rebind(Everything.NAME, Hello.NAME);
    assertThat(bed.trips(own, "look", "[Everything]")).isEqualTo(1);
  }

  @Test
  void aServerThatHasGoneIsNotAnsweredForByTheCache() throws Exception {
    ChildJvm server = bed.server(InsideHosts.INSIDE);
    bed.gateway(NO_POLL);
    ChildJvm client = bed.client("");
    assertThat(ask(client, "hello")).isEqualTo(GREETING);
    server.kill();
    assertThat(ask(client, "call")).startsWith("failed");
    assertThat(ask(client, "look")).startsWith("failed java.rmi.ConnectException");
  }

  @Test
  void anObjectThatHasGoneIsNotAnsweredForByTheCache() throws Exception {
    ChildJvm server = bed.server(InsideHosts.INSIDE);
    bed.gateway(NO_POLL);
    ChildJvm client = bed.client("");
    assertThat(ask(client, "look")).isEqualTo("[Hello]");
    int objects = Integer.parseInt(ask(client, "port"));
    server.kill();
    bed.server(InsideHosts.INSIDE, bed.registryPort(), objects);
    assertThat(bed.trips(client, "look", "[Hello]")).isZero(); // as long as no call has found out
    assertThat(ask(client, "call")).startsWith("failed java.rmi.NoSuchObjectException");
    assertThat(ask(client, "hello")).isEqualTo(GREETING);
  }
}
