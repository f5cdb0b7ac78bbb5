package io.rmigate.gateway.edge.post;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.rmigate.gateway.edge.StrictSessions;
import io.rmigate.gateway.edge.door.DoorAudit;
import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.relay.Relay;
import io.rmigate.gateway.relay.RelaySettings;
import io.rmigate.gateway.session.SessionRegistry;
import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.post.ConnectionId;
import io.rmigate.protocol.post.Post;
import io.rmigate.protocol.post.PostRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.LoggerFactory;

/**
 * Requests at the door for POSTs: their heads, how their bodies come, and whose they are and in
 * which order, with the real connections and sessions behind. An input is a script, of which each
 * step is a byte for what is done and the bytes that it needs:
 *
 * <pre>
 *  0  a request of an agent    who  connection  number  received  hold  n  n bytes of the link
 *  1  a request with any body  who  n  n bytes
 *  2  with other headers too   who  which  n  n bytes
 *  3  a body comes on          which request  n bytes
 *  4  a client goes            which request
 *  5  the container writes     which request
 *  6  time passes              seconds
 * </pre>
 *
 * {@code who} has who is logged in, the address, and how the body comes: with its head, in pieces,
 * without a length, with a length that is too large, or with one that is a lie. When all is over,
 * each request has been ended exactly once, by an answer that agents take, or refused, and the
 * gateway has met no failure of its own.
 */
public final class PostDoorTarget {
  private static final int CONNECTIONS = 3;
  private static final int STEPS = 200;
  private static final List<Principal> PRINCIPALS =
      List.of(
          new Principal("ann", Principal.Scheme.BASIC),
          new Principal("bob", Principal.Scheme.BASIC));
  private static final List<String> ADDRESSES = List.of("192.0.2.1", "2001:db8::1", "unknown", "");
  private static final String[] FOREIGN = {"Content-Type", "Origin", "Sec-Fetch-Site"};
  private static final String[] VALUES = {
    Post.CONTENT_TYPE, "APPLICATION/OCTET-STREAM; charset=none", "text/plain", "", "null"
  };

  /** Of all the gateway: what it says of hostile requests would be thousands of lines. */
  private static final Logger LOG = (Logger) LoggerFactory.getLogger("io.rmigate.gateway");

  private static final ListAppender<ILoggingEvent> FAILURES = new ListAppender<>();

  private static Level level;
  private static Relay relay;
  private static SessionRegistry registry;

  private final AtomicLong clock = new AtomicLong();
  private final PostConnections connections =
      new PostConnections(
          registry, new PostConnections.Limits(Duration.ofSeconds(25), 8, 2), clock::get);
  private final PostDoor door = new PostDoor(connections, DoorAudit.OFF);
  private final List<ScriptedExchange> exchanges = new ArrayList<>();
  private final byte[] input;
  private int at;

  private PostDoorTarget(byte[] input) {
    this.input = input;
  }

  /** Starts what stands behind the door. */
  public static void fuzzerInitialize() {
    level = LOG.getLevel();
    LOG.setLevel(Level.ERROR);
    FAILURES.start();
    LOG.addAppender(FAILURES);
    relay = new Relay(RelaySettings.DEFAULTS);
    registry = StrictSessions.over(relay, Duration.ofSeconds(10));
  }

  /** Ends it. */
  public static void fuzzerTearDown() {
    registry.close();
    relay.close();
    LOG.detachAppender(FAILURES);
    LOG.setLevel(level);
  }

  /** Plays the script. Confined to one thread at a time. */
  public static void fuzzerTestOneInput(byte[] input) throws IOException {
    PostDoorTarget door = new PostDoorTarget(input);
    for (int steps = 0; steps < STEPS && door.at < input.length; steps++) {
      door.step();
    }
    door.end();
  }

  private void step() throws IOException {
    switch (next() % 7) {
      case 0 -> {
        int who = next();
        byte[] body = request();
        post(who, Map.of("Content-Type", Post.CONTENT_TYPE), body);
      }
      case 1 -> post(next(), Map.of(), bytes());
      case 2 -> {
        int who = next();
        post(who, headers(next()), bytes());
      }
      case 3 -> {
        ScriptedExchange some = exchange();
        int count = 1 + next();
        if (some != null) {
          some.come(count);
        }
      }
      case 4 -> {
        ScriptedExchange some = exchange();
        if (some != null) {
          some.breakOff();
        }
      }
      case 5 -> {
        ScriptedExchange some = exchange();
        if (some != null) {
          some.takeAnswer();
        }
      }
      default -> {
        clock.addAndGet(Duration.ofSeconds(next()).toNanos());
        connections.tick();
      }
    }
  }

  private void post(int who, Map<String, String> headers, byte[] body) throws IOException {
    long declared = body.length;
    int there = body.length;
    switch (who >> 4 & 7) {
      case 1 -> there = body.length / 2;
      case 2 -> there = 0;
      case 3 -> {
        declared = -1;
        there = 1;
      }
      case 4 -> declared = 1L << 40;
      case 5 -> declared = body.length + 10L;
      case 6 -> declared = Math.max(0, body.length - 10L);
      default -> {}
    }
    ScriptedExchange exchange =
        new ScriptedExchange(headers, declared, ADDRESSES.get(who >> 2 & 3), body, there);
    if (PostDoor.isForeign(exchange.request())) {
      return;
    }
    exchanges.add(exchange);
    door.take(exchange.request(), PRINCIPALS.get(who & 1));
    if ((who & 2) == 0) {
      exchange.takeAnswer();
    }
  }

  private byte[] request() {
    ConnectionId connection = id(next() % CONNECTIONS);
    int number = next();
    int received = next();
    int hold = next() * 100;
    byte[] bytes = bytes();
    return PostRequest.encode(connection, number, received, hold, bytes, 0, bytes.length);
  }

  private static ConnectionId id(int which) {
    byte[] body = new byte[1 + Post.ID_BYTES + 4];
    body[0] = Post.VERSION;
    body[Post.ID_BYTES] = (byte) which;
    try {
      return PostRequest.decode(body, body.length).connection();
    } catch (ProtocolViolationException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private Map<String, String> headers(int which) {
    Map<String, String> headers = new HashMap<>();
    headers.put(FOREIGN[which % FOREIGN.length], VALUES[which / FOREIGN.length % VALUES.length]);
    return headers;
  }

  /** The one of that number, perhaps one that is over; null while there is none. */
  private ScriptedExchange exchange() {
    int which = next();
    return exchanges.isEmpty() ? null : exchanges.get(which % exchanges.size());
  }

  /** All agents give up, the gateway stops, and the container writes what there is. */
  private void end() throws IOException {
    for (int which = 0; which < CONNECTIONS; which++) {
      for (int who = 0; who < PRINCIPALS.size(); who++) {
        post(who, Map.of(), PostRequest.givingUp(id(which)));
      }
    }
    connections.close();
    for (ScriptedExchange exchange : exchanges) {
      exchange.takeAnswer();
      exchange.check();
    }
    if (!FAILURES.list.isEmpty()) {
      throw new IllegalStateException(FAILURES.list.remove(0).getFormattedMessage());
    }
    if (connections.count() != 0) {
      throw new IllegalStateException(connections.count() + " connections are left");
    }
  }

  private int next() {
    return at < input.length ? input[at++] & 0xFF : 0;
  }

  private byte[] bytes() {
    int length = Math.min(next(), input.length - at);
    byte[] bytes = Arrays.copyOfRange(input, at, at + length);
    at += length;
    return bytes;
  }
}
