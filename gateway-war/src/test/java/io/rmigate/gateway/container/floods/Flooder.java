package io.rmigate.gateway.container.floods;

import io.rmigate.client.config.ClientConfig;
import io.rmigate.client.transport.Transport;
import io.rmigate.client.transport.websocket.WebSocketConnector;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.tunnel.Data;
import io.rmigate.protocol.tunnel.Dirty;
import io.rmigate.protocol.tunnel.Feature;
import io.rmigate.protocol.tunnel.Frame;
import io.rmigate.protocol.tunnel.FrameOutput;
import io.rmigate.protocol.tunnel.FrameReader;
import io.rmigate.protocol.tunnel.Hello;
import io.rmigate.protocol.tunnel.Open;
import io.rmigate.protocol.tunnel.Refused;
import io.rmigate.protocol.tunnel.SessionToken;
import io.rmigate.protocol.tunnel.Tunnel;
import io.rmigate.protocol.tunnel.Welcome;
import io.rmigate.testing.MarshalStream;
import io.rmigate.testing.Patience;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A hostile client with a login, which writes the link's frames itself. Arguments: gateway, user,
 * password file, host and port of a server, what to flood with, and how much.
 *
 * <pre>
 * dirty     names of objects that do not exist, held one after the other
 * hashes    calls of methods that do not exist
 * objects   calls of objects that no session was given
 * slow      connections that begin a request and do not go on
 * </pre>
 *
 * Prints {@code sent N} now and then, and {@code flooded} when it was so much; goes on until it is
 * told something, and prints {@code sent N refused M}.
 */
public final class Flooder {
  private static final int IN_ONE_FRAME = 100;
  private static final int CREDIT = 1 << 20;
  private static final Duration SOON = Patience.PATIENCE;

  /** Of {@code Hello.hello(String)}, which everybody may call. */
  private static final long HELLO = -5976794856777945295L;

  private static final byte[] BEGINNING =
      "POST /rmigate/tunnel HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
          .getBytes(StandardCharsets.US_ASCII);

  private final URI gateway;
  private final ClientConfig config;
  private final EndpointId server;
  private final long enough;
  private final Random random = new Random(7);
  private final Semaphore answers = new Semaphore(0);
  private final AtomicLong refused = new AtomicLong();
  private volatile boolean stopped;
  private long sent;
  private long told;

  private Flooder(String[] arguments) {
    gateway = URI.create(arguments[0]);
    config =
        ClientConfig.builder().gateways(gateway).user(arguments[1], Path.of(arguments[2])).build();
    server = new EndpointId(arguments[3], Integer.parseInt(arguments[4]));
    enough = Long.parseLong(arguments[6]);
  }

  /** See above. */
  public static void main(String[] arguments) throws Exception {
    Flooder flooder = new Flooder(arguments);
    Thread watching = new Thread(flooder::awaitInput, "input");
    watching.setDaemon(true);
    watching.start();
    switch (arguments[5]) {
      case "dirty" -> flooder.dirty();
      case "hashes" -> flooder.call(true);
      case "objects" -> flooder.call(false);
      case "slow" -> flooder.slow();
      default -> throw new IllegalArgumentException(arguments[5]);
    }
    System.out.println("sent " + flooder.sent + " refused " + flooder.refused);
    System.exit(0);
  }

  private void awaitInput() {
    try {
      System.in.read();
    } catch (IOException end) {
      // as good as an end
    }
    stopped = true;
  }

  private void count(long more) {
    sent += more;
    if (sent / 10 >= told + Math.max(1, enough / 100) || (sent >= enough && told < enough)) {
      told = sent / 10;
      System.out.println("sent " + sent);
    }
    if (sent >= enough && sent - more < enough) {
      System.out.println("flooded");
    }
  }

  private Transport connect() throws IOException {
    Transport transport = new WebSocketConnector(config).connect(SOON);
    say(
        transport,
        new Hello(
            Tunnel.VERSION,
            Tunnel.VERSION,
            Set.of(Feature.LEASES),
            SessionToken.NONE,
            0,
            CREDIT,
            List.of(Welcome.IDENTITY),
            Map.of("client", "flooder")));
    Thread reading = new Thread(() -> read(transport), "reading");
    reading.setDaemon(true);
    reading.start();
    return transport;
  }

  private void read(Transport transport) {
    byte[] buffer = new byte[1 << 16];
    FrameReader frames = new FrameReader(this::onFrame);
    try {
      for (int count = transport.read(buffer, 0, buffer.length);
          count >= 0;
          count = transport.read(buffer, 0, buffer.length)) {
        frames.feed(buffer, 0, count);
      }
      System.out.println("the gateway has ended the session");
    } catch (IOException e) {
      System.out.println("the link has ended: " + e);
    }
    stopped = true;
    answers.release();
  }

  private void onFrame(Frame frame) {
    if (frame instanceof Refused) {
      refused.incrementAndGet();
      answers.release();
    } else if (frame instanceof Welcome) {
      answers.release();
    }
  }

  private static void say(Transport transport, Frame... frames) throws IOException {
    FrameOutput out = new FrameOutput(1024);
    for (Frame frame : frames) {
      out.append(frame);
    }
    transport.write(out.array(), 0, out.size());
  }

  private ObjIdentifier anyObject() {
    return new ObjIdentifier(
        random.nextLong(), random.nextInt(), random.nextLong(), (short) random.nextInt());
  }

  private void awaitAnswer() throws InterruptedException {
    if (!answers.tryAcquire(SOON.toSeconds(), TimeUnit.SECONDS)) {
      throw new IllegalStateException("no answer");
    }
  }

  private void dirty() throws Exception {
    try (Transport transport = connect()) {
      awaitAnswer();
      while (!stopped) {
        List<ObjIdentifier> objects = new ArrayList<>();
        for (int i = 0; i < IN_ONE_FRAME; i++) {
          objects.add(anyObject());
        }
        say(transport, new Dirty(0, server, objects));
        count(IN_ONE_FRAME);
      }
    }
  }

  /** One after the other, as each is answered. */
  private void call(boolean hashes) throws Exception {
    try (Transport transport = connect()) {
      awaitAnswer();
      say(transport, new Open(1, server.host(), server.port(), Duration.ZERO, Duration.ZERO));
      while (!stopped) {
        byte[] call = call(anyObject(), hashes ? random.nextLong() : HELLO);
        say(transport, new Data(1, true, call));
        awaitAnswer();
        count(1);
      }
    }
  }

  private static byte[] call(ObjIdentifier object, long hash) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(Jrmp.CALL);
    try (MarshalStream out = new MarshalStream(bytes)) {
      out.write(object.encode());
      out.writeInt(Jrmp.OPERATION_BY_HASH);
      out.writeLong(hash);
    }
    return bytes.toByteArray();
  }

  /** They say another byte now and then; what the gateway closes is opened again. */
  private void slow() throws Exception {
    List<Socket> sockets = new ArrayList<>();
    try {
      while (!stopped) {
        if (sockets.size() < enough) {
          Socket socket = new Socket(gateway.getHost(), gateway.getPort());
          sockets.add(socket);
          socket.getOutputStream().write(BEGINNING);
          count(1);
        } else {
          sockets.removeIf(Flooder::isOver);
          Thread.sleep(200);
        }
      }
    } finally {
      for (Socket socket : sockets) {
        socket.close();
      }
    }
  }

  private static boolean isOver(Socket socket) {
    try {
      socket.getOutputStream().write('x');
      return false;
    } catch (IOException closed) {
      return true;
    }
  }
}
