package io.rmigate.testing;

import static io.rmigate.testing.Patience.PATIENCE;

import io.rmigate.client.transport.Transport;
import io.rmigate.client.transport.TransportConnector;
import io.rmigate.protocol.coding.CodedReader;
import io.rmigate.protocol.coding.CodedWriter;
import io.rmigate.protocol.coding.CodingFigures;
import io.rmigate.protocol.coding.ContentCoding;
import io.rmigate.protocol.tunnel.Data;
import io.rmigate.protocol.tunnel.Feature;
import io.rmigate.protocol.tunnel.Frame;
import io.rmigate.protocol.tunnel.FrameOutput;
import io.rmigate.protocol.tunnel.Hello;
import io.rmigate.protocol.tunnel.SessionToken;
import io.rmigate.protocol.tunnel.Welcome;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The far end of a link, in memory and scripted: what the agent writes is taken frame by frame,
 * what it is to read is said by the test. Every connection answers HELLO with {@link #welcome}.
 */
public final class FakeGateway implements TransportConnector {

  /** How the next connection attempts go. */
  public enum ConnectPolicy {
    ACCEPT,
    REFUSE,
    /** Connects, and never says a word. */
    STAY_SILENT
  }

  private final BlockingQueue<Connection> connections = new LinkedBlockingQueue<>();
  private volatile ConnectPolicy policy = ConnectPolicy.ACCEPT;
  private volatile Frame[] behindWelcome = {};
  private volatile boolean holdAfterHello;
  private volatile Welcome welcome = welcomeTaking(Map.of(Welcome.INNER_HOST, "gw.inner"));

  /** What follows the welcome in the same piece, on connections from now on. */
  public void behindWelcome(Frame... frames) {
    behindWelcome = frames;
  }

  /** Whether connections from now on take no more than the hello until they are let. */
  public void holdAfterHello(boolean hold) {
    holdAfterHello = hold;
  }

  /** What connections from now on answer. */
  public void welcome(Welcome next) {
    welcome = next;
  }

  /** The default answer, with these features taken and these properties. */
  public static Welcome welcomeTaking(Map<String, String> properties, Feature... taken) {
    return welcomeTaking(properties, Duration.ofSeconds(30), taken);
  }

  /** The default answer, with these features taken and another heartbeat. */
  public static Welcome welcomeTaking(
      Map<String, String> properties, Duration heartbeat, Feature... taken) {
    return new Welcome(
        1,
        Set.of(taken),
        SessionToken.of(new byte[SessionToken.BYTES]),
        0,
        256 * 1024,
        1000,
        heartbeat,
        Welcome.IDENTITY,
        properties);
  }

  /** The answer of a gateway that lets the session be resumed and has received so much of it. */
  public static Welcome welcomeBack(long received, Duration heartbeat) {
    return new Welcome(
        1,
        Set.of(Feature.RESUME),
        SessionToken.of(new byte[SessionToken.BYTES]),
        received,
        256 * 1024,
        1000,
        heartbeat,
        Welcome.IDENTITY,
        Map.of(Welcome.GRACE, "60000"));
  }

  /** The default answer with another credit and heartbeat. */
  public Welcome welcomeWith(int streamCredit, Duration heartbeat) {
    return welcomeWith(streamCredit, 1000, heartbeat);
  }

  /** The default answer with another credit, number of streams and heartbeat. */
  public Welcome welcomeWith(int streamCredit, int maxStreams, Duration heartbeat) {
    return new Welcome(
        1,
        Set.of(Feature.DEADLINES),
        SessionToken.of(new byte[SessionToken.BYTES]),
        0,
        streamCredit,
        maxStreams,
        heartbeat,
        Welcome.IDENTITY,
        Map.of());
  }

  /** How connection attempts go from now on. */
  public void policy(ConnectPolicy next) {
    policy = next;
  }

  /** The next connection that the agent makes, or has made. */
  public Connection accept() throws InterruptedException {
    Connection connection = connections.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    if (connection == null) {
      throw new AssertionError("no connection came");
    }
    return connection;
  }

  @Override
  public Transport connect(Duration timeout) throws IOException {
    if (policy == ConnectPolicy.REFUSE) {
      throw new ConnectException("scripted: refused");
    }
    Connection connection =
        new Connection(policy == ConnectPolicy.STAY_SILENT ? null : welcome, behindWelcome);
    if (holdAfterHello) {
      connection.holdWrites();
      connection.letWrite();
    }
    connections.add(connection);
    return connection;
  }

  /** One transport connection, seen from both ends. */
  public static final class Connection implements Transport {
    private static final byte[] END = new byte[0];
    private static final int FREELY = 1_000_000_000;

    private final Welcome welcome;
    private final Frame[] behindWelcome;
    private final BlockingQueue<Frame> fromAgent = new LinkedBlockingQueue<>();
    private final BlockingQueue<byte[]> toAgent = new LinkedBlockingQueue<>();
    private final List<Thread> readers = new CopyOnWriteArrayList<>();
    private final List<Thread> writers = new CopyOnWriteArrayList<>();
    private final AtomicInteger requests = new AtomicInteger();
    private final AtomicLong bytesRead = new AtomicLong();
    private final AtomicLong bytesWritten = new AtomicLong();
    private final CodedReader reader = new CodedReader(this::onFrame);
    private CodedWriter coder;
    private volatile Hello hello;
    private byte[] current = END;
    private int offset;
    private final Semaphore writes = new Semaphore(FREELY);
    private volatile boolean closed;

    private Connection(Welcome welcome, Frame[] behindWelcome) {
      this.welcome = welcome;
      this.behindWelcome = behindWelcome;
    }

    private void onFrame(Frame frame) {
      if (frame instanceof Hello greeting) {
        hello = greeting;
        if (welcome != null) {
          Frame[] piece = Arrays.copyOf(behindWelcome, behindWelcome.length + 1);
          System.arraycopy(behindWelcome, 0, piece, 1, behindWelcome.length);
          piece[0] = welcome;
          send(piece);
        }
      } else {
        fromAgent.add(frame);
      }
      if (frame instanceof Data data && data.endOfRequest()) {
        requests.incrementAndGet();
      }
    }

    /** How many whole requests have come, taken by the test or not. */
    public int requests() {
      return requests.get();
    }

    /** What the agent has said first; null until then. */
    public Hello hello() {
      return hello;
    }

    /** What the agent has sent coded. */
    public CodingFigures coded() {
      return reader.figures();
    }

    /** What the agent is to read, as one piece, coded as was agreed on. */
    public void sendCoded(Frame... frames) {
      toAgent.add(coder.code(output(frames), 0).toByteArray());
    }

    /** What the agent is to read, as one piece. */
    public void send(Frame... frames) {
      if (frames[0] instanceof Welcome greeting) {
        begin(ContentCoding.named(greeting.coding()).orElse(ContentCoding.IDENTITY));
      }
      toAgent.add(output(frames).toByteArray());
    }

    private void begin(ContentCoding coding) {
      reader.begin(coding);
      if (!coding.isIdentity()) {
        coder = new CodedWriter(coding);
        coder.turn(true);
      }
    }

    private static FrameOutput output(Frame... frames) {
      FrameOutput out = new FrameOutput(64);
      for (Frame frame : frames) {
        out.append(frame);
      }
      return out;
    }

    /** The link breaks: the agent reads the end. */
    public void cut() {
      toAgent.add(END);
    }

    /** From now on each write of the agent waits for {@link #letWrite}, as on a full network. */
    public void holdWrites() {
      writes.drainPermits();
    }

    /** Whether a write waits so. */
    public boolean holdsAWrite() {
      return writes.hasQueuedThreads();
    }

    /** Lets one write that waits, or the next one, pass. */
    public void letWrite() {
      writes.release();
    }

    /** Lets all writes pass again. */
    public void letAllWrite() {
      writes.drainPermits();
      writes.release(FREELY);
    }

    /** The next frame from the agent. */
    public <F extends Frame> F expect(Class<F> type) throws InterruptedException {
      Frame frame = fromAgent.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      if (!type.isInstance(frame)) {
        throw new AssertionError("expected " + type.getSimpleName() + ", got " + frame);
      }
      return type.cast(frame);
    }

    /** Frames that no test has expected yet. */
    public List<Frame> unexpected() {
      return List.copyOf(fromAgent);
    }

    /** Threads that have written, one entry for each write, those that are held included. */
    public List<Thread> writers() {
      return writers;
    }

    /** Threads that have read, one entry for each read that brought something. */
    public List<Thread> readers() {
      return readers;
    }

    public boolean isClosed() {
      return closed;
    }

    @Override
    public int read(byte[] buffer, int from, int length) throws IOException {
      boolean interrupted = false;
      try {
        while (offset == current.length) {
          try {
            current = toAgent.take();
            offset = 0;
          } catch (InterruptedException likeASocket) {
            interrupted = true;
            continue;
          }
          if (closed) {
            throw new SocketException("closed");
          }
          if (current == END) {
            return -1;
          }
        }
      } finally {
        if (interrupted) {
          Thread.currentThread().interrupt();
        }
      }
      readers.add(Thread.currentThread());
      int count = Math.min(length, current.length - offset);
      System.arraycopy(current, offset, buffer, from, count);
      offset += count;
      bytesRead.addAndGet(count);
      return count;
    }

    @Override
    public void write(byte[] buffer, int from, int length) throws IOException {
      if (closed) {
        throw new SocketException("closed");
      }
      writers.add(Thread.currentThread());
      writes.acquireUninterruptibly();
      if (closed) {
        throw new SocketException("closed");
      }
      bytesWritten.addAndGet(length);
      reader.feed(buffer, from, length);
    }

    @Override
    public long bytesReceived() {
      return bytesRead.get();
    }

    @Override
    public long bytesSent() {
      return bytesWritten.get();
    }

    @Override
    public void close() {
      closed = true;
      letAllWrite();
      toAgent.add(new byte[] {0});
    }

    @Override
    public String toString() {
      return "fake";
    }
  }
}
