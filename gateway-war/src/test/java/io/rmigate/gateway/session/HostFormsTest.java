package io.rmigate.gateway.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.policy.rule.Entry;
import io.rmigate.gateway.relay.address.Ipv4Mapped;
import io.rmigate.gateway.route.EndpointMapping;
import io.rmigate.gateway.route.RawGrant;
import io.rmigate.gateway.route.TargetGrant;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.tunnel.Dirty;
import io.rmigate.protocol.tunnel.Feature;
import io.rmigate.protocol.tunnel.Leased;
import io.rmigate.protocol.tunnel.OpenRaw;
import io.rmigate.protocol.tunnel.RefusalReason;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.ServerSocketChannel;
import java.rmi.Remote;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * THREATS F6: forms of a host that are, or that some reader takes for, this machine or a place
 * where no client may go, each in all places where a client or a server can name one. In documents
 * of web services no address of any form leads anywhere ({@code HostileEnvelopesTest}).
 */
class HostFormsTest {
  private static final List<String> FORMS =
      List.of(
          // Loopback.
          "127.0.0.1",
          "127.1",
          "127.0.1",
          "127.0.0.01",
          "127.000.000.001",
          "127.255.255.254",
          "127.0.0.1.",
          "2130706433",
          "02130706433",
          "0177.0.0.01",
          "017700000001",
          "0x7f000001",
          "0x7f.0.0.1",
          "0x7f.1",
          "0X7F.0x0.0x0.0x1",
          "127.0x1",
          "localhost",
          "LOCALHOST",
          "LocalHost.",
          "localhost.localdomain",
          "ip6-localhost",
          "any.localhost",
          "\uff11\uff12\uff17.0.0.1",
          "127\u30020\u30020\u30021",
          "%31%32%37.0.0.1",
          "user@127.0.0.1",
          "127.0.0.1#",
          "here.example",
          "mapped.example",
          "second.example",
          // Loopback of IPv6, and of IPv4 inside.
          "::1",
          "0:0:0:0:0:0:0:1",
          "0000:0000:0000:0000:0000:0000:0000:0001",
          "[::1]",
          "::1%lo",
          "::1%1",
          "::ffff:127.0.0.1",
          "::FFFF:7F00:1",
          "[::ffff:127.0.0.1]",
          "::ffff:0:127.0.0.1",
          "::127.0.0.1",
          "64:ff9b::127.0.0.1",
          "64:ff9b:1::127.0.0.1",
          "2002:7f00:1::1",
          "2001:0:c000:201::80ff:fffe",
          "2001:db8::5efe:127.0.0.1",
          // The unspecified address, and multicast.
          "0.0.0.0",
          "0",
          "::",
          "[::]",
          "::ffff:0.0.0.0",
          "any.example",
          "224.0.0.1",
          "ff02::1",
          // Link-local, and where clouds tell secrets.
          "169.254.169.254",
          "2852039166",
          "fe80::1",
          "fe80::1%lo",
          "::ffff:169.254.169.254",
          "::ffff:a9fe:a9fe",
          "64:ff9b::a9fe:a9fe",
          "metadata.example",
          "100.100.100.200",
          "fd00:ec2::254");

  private static final String REGISTRY = "registry.example";

  @RegisterExtension final SessionBed bed = new SessionBed();

  /** At every address of this machine. */
  private ServerSocketChannel trap;

  @BeforeEach
  void setTrap() throws IOException {
    trap = ServerSocketChannel.open().bind(new InetSocketAddress(0));
    trap.configureBlocking(false);
    bed.names(HostFormsTest::addresses);
  }

  @AfterEach
  void takeTrap() throws IOException {
    trap.close();
  }

  private static InetAddress[] addresses(String host) throws UnknownHostException {
    return switch (host) {
      case REGISTRY, "here.example" -> literals("127.0.0.1");
      case "mapped.example" -> new InetAddress[] {Ipv4Mapped.of(InetAddress.getLoopbackAddress())};
      case "second.example" -> literals("::ffff:127.0.0.1", "127.1.2.3");
      case "any.example" -> literals("0.0.0.0", "::");
      case "metadata.example" -> literals("169.254.169.254", "fd00:ec2::254");
      default -> InetAddress.getAllByName(host);
    };
  }

  private static InetAddress[] literals(String... texts) throws UnknownHostException {
    InetAddress[] all = new InetAddress[texts.length];
    for (int i = 0; i < all.length; i++) {
      all[i] = InetAddress.getByName(texts[i]);
    }
    return all;
  }

  private int port() {
    return trap.socket().getLocalPort();
  }

  private void assertNotCaught(String host) throws IOException {
    assertThat(trap.accept()).as(host).isNull();
  }

  @Test
  void thereAreSixtyAndTheTrapIsNone() throws Exception {
    assertThat(Set.copyOf(FORMS)).hasSizeGreaterThanOrEqualTo(60).hasSameSizeAs(FORMS);
    bed.policy(grant(REGISTRY + ":*"));
    TestAgent agent = bed.agent();
    agent.open(1, REGISTRY, port());
    agent.request(1, Calls.list());
    TestAgent.awaitThat(() -> trap.accept() != null);
  }

  @Test
  void noFormOfATargetLeadsThere() throws Exception {
    for (String host : FORMS) {
      bed.policy(grant("*:*"));
      TestAgent agent = bed.agent();
      agent.open(1, host, port());
      agent.request(1, Calls.list());
      assertRefused(agent, 1, host);
    }
  }

  @Test
  void noFormOfARawTargetLeadsThere() throws Exception {
    for (String host : FORMS) {
      bed.raw(new RawGrant(Set.of("*"), List.of("*:*"), false));
      TestAgent agent = bed.stranger();
      agent.helloRaw(TestAgent.CREDIT);
      agent.say(new OpenRaw(1, host, port(), Duration.ZERO));
      assertRefused(agent, 1, host);
    }
  }

  @Test
  void noFormInAStubOfARegistryLeadsThere() throws Exception {
    try (LearningServer registry = new LearningServer()) {
      for (String host : FORMS) {
        TestAgent agent = afterLookup(registry, host);
        agent.open(3, host, port());
        agent.request(3, Calls.method(LearningServer.OBJECT, "v()V", out -> {}));
        assertRefused(agent, 3, host);
      }
    }
  }

  @Test
  void noFormInAStubLeadsTheGatewaysOwnLeasesThere() throws Exception {
    try (LearningServer registry = new LearningServer()) {
      for (String host : FORMS) {
        TestAgent agent = afterLookup(registry, host, Feature.LEASES);
        agent.say(new Dirty(7, new EndpointId(host, port()), List.of(LearningServer.OBJECT)));
        TestAgent.awaitThat(() -> !agent.port().frames(Leased.class).isEmpty());
        assertThat(agent.port().frames(Leased.class).get(0).outcome())
            .as(host)
            .isNotEqualTo(Leased.Outcome.HELD);
        assertNotCaught(host);
      }
    }
  }

  @Test
  void noFormInAnArgumentReachesAServer() throws Exception {
    LedgerServer server = bed.ledger();
    for (String host : FORMS) {
      bed.policy(
          new TargetGrant(
              Set.of("*"),
              List.of("127.0.0.1:" + server.port()),
              SessionBed.READING,
              Entry.enforced().classes(Remote.class.getName(), Ledger.class.getName()).rules()));
      TestAgent agent = bed.agent();
      agent.open(1, server.port());
      Remote stub = Calls.stub(Ledger.class, host, port(), LearningServer.OBJECT);
      agent.request(1, server.take(out -> out.writeObject(stub)));
      assertThat(agent.awaitRefused(1, 0).reason())
          .as(host)
          .isEqualTo(RefusalReason.OPERATION_NOT_PERMITTED);
      assertNotCaught(host);
    }
    assertThat(server.accepted()).isZero();
  }

  private TestAgent afterLookup(LearningServer registry, String host, Feature... offered)
      throws IOException {
    bed.policy(new EndpointMapping(false, List.of()), grant(REGISTRY + ":" + registry.port()));
    TestAgent agent = bed.stranger();
    agent.hello(offered);
    registry.replyWith(host, port());
    agent.open(1, REGISTRY, registry.port());
    agent.call(1, Calls.lookup("any"), registry.replyLength());
    return agent;
  }

  private void assertRefused(TestAgent agent, int stream, String host) throws IOException {
    assertThat(agent.awaitRefused(stream, 0).reason())
        .as(host)
        .isIn(RefusalReason.TARGET_NOT_PERMITTED, RefusalReason.UNKNOWN_HOST);
    assertNotCaught(host);
  }

  private static TargetGrant grant(String pattern) {
    return new TargetGrant(Set.of("*"), List.of(pattern), SessionBed.READING);
  }
}
