package io.rmigate.protocol.tunnel;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The line of each frame, as debugging relies on it. */
class FrameLogTest {

  @Test
  void eachFrameHasOneLine() throws UnknownHostException {
    assertLine(
        "« #-   HELLO         versions 1-1 features [] session none received 0 credit 8 codings [a]",
        new Hello(1, 1, Set.of(), SessionToken.NONE, 0, 8, List.of("a"), Map.of("k", "v")));
    assertLine(
        "« #-   WELCOME       version 1 features [] received 0 credit 8 streams 9 heartbeat PT15S"
            + " coding identity",
        new Welcome(
            1,
            Set.of(),
            SessionToken.of(new byte[32]),
            0,
            8,
            9,
            Duration.ofSeconds(15),
            "identity",
            Map.of()));
    assertLine("« #-   GOODBYE       DRAINING later", new Goodbye(CloseCause.DRAINING, "later"));
    assertLine("« #-   HEARTBEAT     7", new Heartbeat(7));
    assertLine("« #-   HEARTBEAT_ACK 7", new HeartbeatAck(7));
    assertLine("« #-   ACK           128 bytes", new Ack(128));
    assertLine(
        "« #-   REPORT        plain 9 trips 300 bytes, link 3 trips,"
            + " saved 4 lookups 5 leases 6 pings, holds 7",
        new Report(9, 300, 3, 4, 5, 6, 7));
    assertLine("« #-   DRAIN         within PT10S", new Drain(Duration.ofSeconds(10)));
    assertLine("« #-   LEAVING", new Leaving());
    assertLine(
        "« #5   OPEN          inside.example:1099",
        new Open(5, "inside.example", 1099, Duration.ZERO, Duration.ZERO));
    assertLine("« #5   DATA          3 bytes", new Data(5, false, new byte[3]));
    assertLine("« #5   DATA_LAST     41 bytes", new Data(5, true, new byte[41]));
    assertLine("« #5   RETURN_END    request 2", new ReturnEnd(5, 2));
    assertLine(
        "« #5   REFUSED       request 2 NOT_JRMP text",
        new Refused(5, 2, RefusalReason.NOT_JRMP, "text"));
    assertLine("« #5   CREDIT        131072 bytes", new Credit(5, 131072));
    assertLine("« #5   CLOSE         DONE", new Close(5, CloseCause.DONE));
    assertLine(
        "« #5   DEADLINE      request 2 1500 ms", new Deadline(5, 2, Duration.ofMillis(1500)));
    assertLine(
        "« #5   OPEN_RAW      inside.example:9010",
        new OpenRaw(5, "inside.example", 9010, Duration.ZERO));
    assertLine("« #5   SEQUENCE      7", new Sequence(5, 7, false));
    assertLine("« #5   SEQUENCE      7 until null", new Sequence(5, 7, true));
    EndpointId endpoint = new EndpointId("inside.example", 1099);
    List<ObjIdentifier> objects = List.of(new ObjIdentifier(42, 1, 2, (short) 3));
    assertLine(
        "« #-   DIRTY         inside.example:1099 1 objects", new Dirty(0, endpoint, objects));
    assertLine(
        "« #-   DIRTY         inside.example:1099 1 objects asks 7",
        new Dirty(7, endpoint, objects));
    assertLine("« #-   CLEAN         inside.example:1099 1 objects", new Clean(endpoint, objects));
    assertLine(
        "« #-   DGC_ACK       inside.example:1099 0000000000000000000000000000",
        new DgcAck(endpoint, new byte[14]));
    assertLine("« #-   LEASED        7 FAILED text", new Leased(7, Leased.Outcome.FAILED, "text"));
    RegistryName name = new RegistryName(new EndpointId("inside.example", 1099), "a\nname");
    assertLine(
        "« #-   LOOKUP        7 inside.example:1099/a?name fresh", new Lookup(7, true, name));
    assertLine(
        "« #-   BOUND         7 binding 3, 2 bytes",
        new Bound(7, 3, Optional.empty(), new byte[2]));
    assertLine(
        "« #-   BOUND         0 inside.example:1099/a?name binding 3, 2 bytes",
        new Bound(0, 3, Optional.of(name), new byte[2]));
    assertLine(
        "« #-   UNBOUND       7 CONNECTION_REFUSED text",
        Unbound.answer(7, UnboundReason.CONNECTION_REFUSED, "text"));
    assertLine(
        "« #-   UNBOUND       0 inside.example:1099/a?name GONE",
        Unbound.push(name, UnboundReason.GONE));
    assertLine("« #-   FORGOT        binding 3", new Forgot(3));
    assertLine("« #-   LISTEN        7 port 40001", new Listen(7, 40001));
    assertLine("« #-   LISTENING     7 LISTENING port 40001", Listening.on(7, 40001));
    assertLine(
        "« #-   LISTENING     7 PORT_IN_USE port 0 text",
        Listening.refused(7, Listening.Outcome.PORT_IN_USE, "text"));
    assertLine("« #-   UNLISTEN      7", new Unlisten(7));
    assertLine(
        "« #-   ACCEPT        7 stream 2 from 10.0.1.2:49153",
        new Accept(2, 7, InetAddress.getByName("10.0.1.2"), 49153));
    assertLine("« #-   HOLD          7 1 objects", new Hold(7, objects));
    assertLine("« #-   RELEASE       7 1 objects", new Release(7, objects));
    assertLine(
        "« #-   GRANT         inside.example:1099, 2 bytes",
        new Grant(endpoint, List.of(), new byte[2]));
    assertLine(
        "« #-   GRANT         inside.example:1099 [0], 2 bytes",
        new Grant(endpoint, List.of(ObjIdentifier.REGISTRY), new byte[2]));
    assertLine(
        "« #-   GRANT         inside.example:1099 [2 objects], 2 bytes",
        new Grant(endpoint, List.of(ObjIdentifier.REGISTRY, ObjIdentifier.DGC), new byte[2]));
    assertLine("« #-   CODED         3 bytes", new Coded(false, new byte[3]));
    assertLine("« #-   CODED_FRESH   0 bytes", new Coded(true, new byte[0]));
    assertLine("« #-   CODING        on", new Coding(true));
  }

  @Test
  void directionShowsAndThePeerCannotForgeLines() {
    assertThat(FrameLog.line(true, new Goodbye(CloseCause.DONE, "a\n» #1   CLOSE")))
        .isEqualTo("» #-   GOODBYE       DONE a?» #1   CLOSE");
  }

  @Test
  void secretsDoNotShow() {
    byte[] secret =
        "0123456789abcdef0123456789abcdef".getBytes(java.nio.charset.StandardCharsets.US_ASCII);
    Hello hello =
        new Hello(1, 1, Set.of(), SessionToken.of(secret), 0, 8, List.of(), Map.of("p", "s3cret"));
    assertThat(FrameLog.line(true, hello))
        .doesNotContain("0123", "s3cret")
        .contains("session secret");
  }

  private static void assertLine(String line, Frame frame) {
    assertThat(FrameLog.line(false, frame)).isEqualTo(line);
  }
}
