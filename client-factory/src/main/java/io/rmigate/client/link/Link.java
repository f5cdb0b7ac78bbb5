package io.rmigate.client.link;

import io.rmigate.client.deadline.CallClock;
import io.rmigate.client.stats.Account;
import io.rmigate.client.stats.LinkTraffic;
import io.rmigate.client.transport.Transport;
import io.rmigate.client.transport.TransportConnector;
import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.coding.CodingFigures;
import io.rmigate.protocol.coding.Compression;
import io.rmigate.protocol.tunnel.Ack;
import io.rmigate.protocol.tunnel.Bound;
import io.rmigate.protocol.tunnel.Close;
import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.Credit;
import io.rmigate.protocol.tunnel.Data;
import io.rmigate.protocol.tunnel.Deadline;
import io.rmigate.protocol.tunnel.Drain;
import io.rmigate.protocol.tunnel.Feature;
import io.rmigate.protocol.tunnel.Frame;
import io.rmigate.protocol.tunnel.FrameLog;
import io.rmigate.protocol.tunnel.FrameSink;
import io.rmigate.protocol.tunnel.Goodbye;
import io.rmigate.protocol.tunnel.Heartbeat;
import io.rmigate.protocol.tunnel.HeartbeatAck;
import io.rmigate.protocol.tunnel.Hello;
import io.rmigate.protocol.tunnel.Leaving;
import io.rmigate.protocol.tunnel.OpenRaw;
import io.rmigate.protocol.tunnel.Refused;
import io.rmigate.protocol.tunnel.Report;
import io.rmigate.protocol.tunnel.ReturnEnd;
import io.rmigate.protocol.tunnel.SessionToken;
import io.rmigate.protocol.tunnel.Tunnel;
import io.rmigate.protocol.tunnel.Welcome;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.LongFunction;

/**
 * One session with a gateway. Begun by {@link #greet}, ends once, and stays ended: by {@link
 * #close}, by the gateway's goodbye, or by the loss of its transport connection when no other one
 * can be had in time ({@link Carrier}).
 *
 * <p>Threads: any may open streams; frames come in on whichever thread reads the link ({@link
 * LinkInbound}); the timer only looks at clocks and queues heartbeats.
 */
public final class Link {
  /** What the gateway may send on a stream before we have read it. */
  static final int GATEWAY_CREDIT_BYTES = 256 * 1024;

  private static final System.Logger LOG = System.getLogger(Link.class.getName());
  private static final System.Logger FRAMES = System.getLogger("io.rmigate.frames");

  /** Heartbeats that may stay unanswered before the link counts as dead. */
  private static final int SILENT_HEARTBEATS = 3;

  /** What has come is acknowledged when it is more than this. */
  private static final int ACKNOWLEDGED_BYTES = 128 * 1024;

  /** So much may stay unacknowledged on a link that rests. */
  private static final int UNACKNOWLEDGED_AT_REST_BYTES = 1024;

  /** How late the gateway's word on a deadline may come, besides a round trip. */
  private static final long LATE_WORD_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private static final long LONGEST_PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** How long an ending may wait for its goodbye to leave. */
  private static final Duration LAST_WORDS = Duration.ofMillis(200);

  private final Carrier carrier;
  private final SessionReport report;
  private final Account account;
  private final Reports reports = new Reports();
  private final LinkListener listener;
  private final LinkOutbound outbound;
  private final LinkInbound inbound;
  private final LinkCoding coding;
  private final StreamTable streams = new StreamTable();
  private final AcceptedStreams accepted = new AcceptedStreams();
  private final Barrier barrier = new Barrier();
  private final AtomicReference<IOException> ended = new AtomicReference<>();

  /** What the parts of the link report, and what the account asks. */
  private final class Reports
      implements FrameSink, Consumer<IOException>, Runnable, LinkTraffic.Meter {
    @Override
    public void onFrame(Frame frame) throws IOException {
      Link.this.onFrame(frame);
    }

    /** The link has failed. */
    @Override
    public void accept(IOException cause) {
      fail(cause);
    }

    /** A piece has been read. */
    @Override
    public void run() {
      acknowledge();
    }

    @Override
    public LinkTraffic traffic() {
      return Link.this.traffic();
    }
  }

  /** Satisfied by the welcome; until then the thread that opens the link leads the reading. */
  private final Waiter welcoming =
      new Waiter() {
        @Override
        boolean satisfied() {
          return isGreeted() || ended.get() != null;
        }
      };

  /**
   * Bindings that have been announced with the welcome and have not come. Written by the reader.
   */
  private volatile int preloading;

  /** What we have said first, and the timer we were given then. Written before it is sent. */
  private volatile Hello hello;

  private volatile ScheduledExecutorService watch;

  private volatile Welcome welcome;
  private volatile boolean draining;

  /** Requests that have begun and of which not everything has been sent. */
  private final AtomicInteger sending = new AtomicInteger();

  private final AtomicBoolean drained = new AtomicBoolean();
  private final Resumption resumption;
  private final RestTime rest;
  private final Runnable beats =
      new Runnable() {
        @Override
        public void run() {
          beat();
        }
      };
  private volatile ScheduledFuture<?> heartbeats;
  private long lastReportNanos = System.nanoTime();

  /**
   * A link over a connection that has just been made, and which ends with it; {@link #greet} comes
   * next.
   */
  public Link(
      Transport transport, Account account, Compression compression, LinkListener listener) {
    this(transport, Resumption.NONE, account, compression, listener);
  }

  /**
   * A link over a connection that has just been made; {@link #greet} comes next.
   *
   * @param resumption what happens when that connection is lost
   * @param account what the JVM does; the gateway is told now and then
   * @param listener to what is not of streams
   */
  public Link(
      Transport transport,
      Resumption resumption,
      Account account,
      Compression compression,
      LinkListener listener) {
    this(transport, resumption, account, compression, listener, new RestTime());
  }

  /** A link over a new connection, with other experience of what cuts idle links. */
  Link(
      Transport transport,
      Resumption resumption,
      Account account,
      Compression compression,
      LinkListener listener,
      RestTime rest) {
    String name = Integer.toHexString(System.identityHashCode(transport));
    this.resumption = resumption;
    this.rest = rest;
    this.carrier = new Carrier(transport, resumption.isWanted());
    this.account = account;
    this.listener = listener;
    this.report = new SessionReport(account);
    this.outbound = new LinkOutbound(carrier, reports, "rmigate-writer " + name, FRAMES);
    this.inbound = new LinkInbound(carrier, reports, reports, reports, "rmigate-reader " + name);
    this.coding = new LinkCoding(compression, outbound, inbound);
  }

  /**
   * Says hello and waits for the gateway's welcome. Called once, before anything else but {@link
   * #close}, which may come from another thread and ends the wait.
   *
   * @param timeout for the welcome
   * @param properties what we say of ourselves
   * @param timer a daemon; used for the time-out and heartbeats
   * @throws IOException no session; the message says what to do
   */
  public void greet(
      Duration timeout, Map<String, String> properties, ScheduledExecutorService timer)
      throws IOException {
    ScheduledFuture<?> tooLate =
        schedule(
            timer,
            new Runnable() {
              @Override
              public void run() {
                fail(new ConnectException("the gateway did not welcome us in time"));
              }
            },
            Math.max(1, timeout.toNanos()),
            TimeUnit.NANOSECONDS);
    account.linkOpened(reports);
    if (ended.get() != null) {
      account.linkEnded(reports); // meanwhile, without being counted
    }
    inbound.start(); // reads the welcome when the opening thread may not
    try {
      hello =
          new Hello(
              Tunnel.VERSION,
              Tunnel.VERSION,
              offers(),
              SessionToken.NONE,
              0,
              GATEWAY_CREDIT_BYTES,
              coding.offered(),
              properties);
      watch = timer;
      outbound.send(hello);
      while (!isGreeted() && ended.get() == null) {
        inbound.await(welcoming, CallerThread.mayDoIo() ? 0 : timeout.toNanos());
      }
    } finally {
      tooLate.cancel(false);
    }
    IOException failure = ended.get();
    if (failure != null) {
      throw failure;
    }
    try {
      beginBeating();
    } catch (RejectedExecutionException closed) {
      close();
      throw new ConnectException("rmigate is closed");
    }
    LOG.log(System.Logger.Level.DEBUG, "link open: {0}", carrier);
  }

  private void beginBeating() {
    long period = Math.max(1, rest.within(welcome.heartbeat()).toNanos() / 2);
    ScheduledFuture<?> before = heartbeats;
    heartbeats = watch.scheduleWithFixedDelay(beats, period, period, TimeUnit.NANOSECONDS);
    if (before != null) {
      before.cancel(false);
    }
    if (ended.get() != null) {
      heartbeats.cancel(false);
    }
  }

  /** A connection has ended without a word, and there will be another one. From any thread. */
  private void onCut() {
    long now = System.nanoTime();
    long used = Math.max(inbound.lastReadNanos(), outbound.lastWriteNanos());
    rest.cutAfter(now - Math.max(used, carrier.upSinceNanos()));
    if (heartbeats != null) { // else they begin with this knowledge
      try {
        beginBeating();
      } catch (RejectedExecutionException closed) {
        LOG.log(System.Logger.Level.DEBUG, () -> "no heartbeats any more: " + carrier);
      }
    }
  }

  /** Whether the welcome has come, and what the gateway sends along with it. */
  private boolean isGreeted() {
    return welcome != null && preloading == 0;
  }

  /** A timer that has been shut down ends the link instead of leaking it. */
  private ScheduledFuture<?> schedule(
      ScheduledExecutorService timer, Runnable task, long delay, TimeUnit unit) throws IOException {
    try {
      return timer.schedule(task, delay, unit);
    } catch (RejectedExecutionException closed) {
      fail(new LinkLostException("rmigate is closed", closed));
      throw new ConnectException("rmigate is closed");
    }
  }

  /** Whether new streams may be opened here. */
  public boolean isUsable() {
    return ended.get() == null && !draining;
  }

  /** Whether the gateway has asked us to go elsewhere. */
  public boolean isDraining() {
    return draining;
  }

  /** By which its connections are made; null when it has one only. */
  public TransportConnector gateway() {
    return resumption.connector();
  }

  /** A request begins; false when new ones have to go elsewhere. */
  boolean beginSending() {
    sending.incrementAndGet();
    if (draining) {
      endSending();
      return false;
    }
    return true;
  }

  /** A request that {@link #beginSending} has let in has been sent, or never will be. */
  void endSending() {
    if (sending.decrementAndGet() == 0 && draining) {
      tellDrained();
    }
  }

  private void onDrain() {
    draining = true;
    if (sending.get() == 0) {
      tellDrained();
    }
    listener.onDraining(this);
  }

  /** Behind all requests: no other one follows, so that the gateway need not wait for any. */
  private void tellDrained() {
    if (drained.compareAndSet(false, true)) {
      outbound.sendLater(new Drain(Duration.ZERO));
    }
  }

  /** See {@link Carrier#isHandedOver}. */
  boolean isHandedOver(long unit) {
    return carrier.isHandedOver(unit);
  }

  /** See {@link Carrier#wasNeverHandedOver}. */
  boolean wasNeverHandedOver(long unit) {
    return carrier.wasNeverHandedOver(unit);
  }

  /**
   * Whether nothing has been heard of the gateway for so long that the link may well be dead: half
   * an interval longer than it takes for a heartbeat to be sent and answered.
   */
  public boolean isQuiet() {
    return System.nanoTime() - inbound.lastReadNanos() > welcome.heartbeat().toNanos() * 3 / 2;
  }

  /**
   * Takes over from a link that drains: what the JVM does from here on is reported here, and there
   * no more, so that nothing is reported twice. Called once, when this is welcomed.
   */
  public void succeed(Link before) {
    before.report.handOver(report).ifPresent(before.outbound::sendLater);
  }

  /** Whether nothing works here any more. */
  public boolean hasEnded() {
    return ended.get() != null;
  }

  /**
   * Asserts that it has not.
   *
   * @throws IOException why it has
   */
  public void throwIfEnded() throws IOException {
    IOException failure = ended.get();
    if (failure != null) {
      throw LinkLostException.again(failure);
    }
  }

  /**
   * A new stream towards a target. Nothing is sent until its first request.
   *
   * @throws IOException the session's limit is reached or the link has ended
   */
  public LinkStream openStream(String host, int port, Duration connect, Duration handshake)
      throws IOException {
    return add(
        new IntFunction<>() {
          @Override
          public LinkStream apply(int id) {
            return new LinkStream(Link.this, id, host, port, connect, handshake);
          }
        });
  }

  /**
   * A raw stream towards a target, which the gateway has been asked to connect.
   *
   * @throws IOException the gateway knows no such streams, the session's limit is reached or the
   *     link has ended
   */
  public LinkStream openRaw(String host, int port, Duration connect) throws IOException {
    if (!takes(Feature.RAW_STREAMS)) {
      throw new ConnectException("the rmigate gateway carries nothing but JRMP");
    }
    LinkStream stream = add(id -> new LinkStream(this, new OpenRaw(id, host, port, connect)));
    stream.begin();
    return stream;
  }

  private LinkStream add(IntFunction<LinkStream> make) throws IOException {
    int max = welcome.maxStreams();
    LinkStream stream = streams.add(max, make);
    if (stream == null) {
      throw new IOException(
          "the rmigate gateway allows " + max + " open connections in one session");
    }
    try {
      throwIfEnded();
    } catch (IOException failure) {
      streams.remove(stream);
      throw failure;
    }
    return stream;
  }

  /**
   * A stream that the gateway has opened. By the reader of the link.
   *
   * @param peer for messages
   * @throws ProtocolViolationException the gateway has that number in use, or too many
   */
  public LinkStream accept(int number, String peer) throws ProtocolViolationException {
    LinkStream stream = new LinkStream(this, number, peer);
    accepted.add(stream);
    return stream;
  }

  /** Inner JVMs may call from now on: what they send must not wait until somebody reads. */
  public void awaitVisitors() {
    inbound.awaitVisitors();
  }

  /**
   * Holds back what comes on any stream from here on, until the result is run, once. By the reader
   * of the link.
   */
  public Runnable holdBack() {
    return barrier.begin();
  }

  Barrier barrier() {
    return barrier;
  }

  /** Whether the gateway has taken a feature that was offered. */
  public boolean takes(Feature feature) {
    return welcome.features().contains(feature);
  }

  /** How long the gateway keeps a session without a connection; zero: not at all. */
  public Duration graceAtGateway() {
    return takes(Feature.RESUME) ? welcome.grace() : Duration.ZERO;
  }

  /**
   * So long without a frame, and the gateway takes an agent for gone whatever its connection says.
   */
  public Duration silenceAtGateway() {
    return welcome.heartbeat().multipliedBy(SILENT_HEARTBEATS);
  }

  /** How long the gateway keeps the leases of a session that has ended without a goodbye. */
  public Duration leasesAreKept() {
    return welcome.grace();
  }

  /** Whether the gateway knows where servers are whose stubs name loopback. */
  public boolean mapsLoopback() {
    return Boolean.parseBoolean(welcome.properties().get(Welcome.MAPS_LOOPBACK));
  }

  /**
   * Sends a frame that belongs to no stream; blocks while the transport is behind.
   *
   * @throws LinkLostException it has not been sent, or not all of it
   */
  public void tell(Frame frame) throws IOException {
    outbound.send(frame);
  }

  /**
   * Sends a frame that belongs to no stream, for a call with a deadline: waits no longer than that.
   *
   * @return false when the time was over first, and nothing has been sent
   */
  public boolean tell(Frame frame, CallClock clock) throws IOException {
    return outbound.send(frame, clock);
  }

  /** Whether anything has come since then, on the clock of {@link System#nanoTime}. */
  public boolean hasHeardSince(long nanos) {
    return inbound.lastReadNanos() - nanos > 0;
  }

  /**
   * Sends a frame that belongs to no stream, without waiting; nothing happens after the end. For
   * what the gateway has caused: the link ends when it does not read that.
   */
  public void tellLater(Frame frame) {
    outbound.sendLater(frame);
  }

  /**
   * Queues a frame that this JVM has caused by itself: any number of these may wait, and the link
   * does not end by it, so that it may be called under locks.
   */
  public void enqueue(Frame frame) {
    outbound.enqueue(frame);
  }

  /**
   * A wait for what a frame brings to the listener.
   *
   * @param over whether there is nothing to wait for any more; asked by any thread
   */
  public LinkWait newWait(BooleanSupplier over) {
    return new LinkWait(this, over);
  }

  /** Has the gateway send something, so that whoever reads looks up. */
  void askForASign() {
    outbound.sendLater(coding.heartbeat());
  }

  /** Host under which inner JVMs see the gateway, if it says so. */
  public Optional<String> innerHost() {
    return Optional.ofNullable(welcome.properties().get(Welcome.INNER_HOST));
  }

  /** Streams that are open or being closed. */
  public int openStreams() {
    return streams.all().size() + accepted.all().size();
  }

  /** Bytes sent so far over all its transport connections, see {@link Transport#bytesSent}. */
  public long bytesSent() {
    return carrier.bytesSent();
  }

  /** Bytes received so far, likewise. */
  public long bytesReceived() {
    return carrier.bytesReceived();
  }

  /** The transport connection there is; empty while there is none. */
  public Optional<Transport> connection() {
    return carrier.connection();
  }

  /**
   * Goes on over a better transport connection, on which nothing has been said, if the gateway lets
   * the session be resumed; nothing that is under way is lost or done twice.
   *
   * @return false: it is not used, and closed
   */
  public boolean moveTo(Transport better) {
    return carrier.moveTo(better);
  }

  /** Whether the gateway has ever said anything. */
  public boolean hasHeard() {
    return carrier.hasHeard();
  }

  /** How often the session went on over another transport connection. */
  public int resumed() {
    return carrier.resumed();
  }

  private Set<Feature> offers() {
    Set<Feature> offers = EnumSet.noneOf(Feature.class);
    offers.addAll(listener.offers());
    offers.add(Feature.DEADLINES);
    offers.add(Feature.REASONS);
    if (carrier.wantsToResume()) {
      offers.add(Feature.RESUME);
    }
    return offers;
  }

  /**
   * The JVM is about to end: tells the gateway what it has not been told, and that the end of this
   * link will be in order. The link stays usable. Waits a moment at most for that to leave.
   */
  public void leave() {
    if (welcome != null) {
      reportChanges();
      outbound.sendLast(new Leaving(), LAST_WORDS);
    }
  }

  private void reportChanges() {
    Optional<Report> changed = report.whatChanged();
    if (changed.isPresent()) {
      outbound.sendLater(changed.get());
    }
  }

  /** The coding that was agreed on, by its name on the wire. */
  public String coding() {
    return coding.coding().name();
  }

  /** Whether what is sent is coded now, if it gets shorter; the gateway has been told the same. */
  public boolean isCoding() {
    return coding.isOn();
  }

  /** What has been sent coded. */
  public CodingFigures codingSent() {
    return coding.sent();
  }

  /** What has been received coded. */
  public CodingFigures codingReceived() {
    return coding.received();
  }

  /** The shortest of the latest round trips to the gateway; empty before the welcome. */
  public Optional<Duration> roundTrip() {
    OptionalLong nanos = coding.roundTripNanos();
    return nanos.isPresent() ? Optional.of(Duration.ofNanos(nanos.getAsLong())) : Optional.empty();
  }

  /** Says goodbye, unless the gateway has not even said welcome, and ends. Idempotent. */
  public void close() {
    if (welcome != null) {
      reportChanges();
      outbound.sendLast(new Goodbye(CloseCause.DONE, ""), LAST_WORDS);
    }
    fail(new LinkLostException("the link was closed", null));
  }

  private LinkTraffic traffic() {
    return new LinkTraffic(
        carrier.bytesSent(), carrier.bytesReceived(), codingSent().plus(codingReceived()));
  }

  /** Waits until what is sent can leave, as long as the clock allows; whether it can. */
  boolean awaitConnection(CallClock clock) {
    return carrier.awaitUp(clock);
  }

  /** How much longer than a deadline to wait for the gateway's word, if there will be one. */
  long patienceNanos() {
    return takes(Feature.DEADLINES)
        ? Math.min(LONGEST_PATIENCE_NANOS, roundTripNanos() + LATE_WORD_NANOS)
        : 0;
  }

  /** The shortest of the latest round trips; 0 while there was none. */
  long roundTripNanos() {
    return coding.roundTripNanos().orElse(0);
  }

  int agentCredit() {
    return welcome.streamCredit();
  }

  LinkOutbound outbound() {
    return outbound;
  }

  LinkInbound inbound() {
    return inbound;
  }

  void forget(LinkStream stream) {
    if (AcceptedStreams.isTheirs(stream.id())) {
      accepted.remove(stream);
    } else {
      streams.remove(stream);
    }
  }

  /** Ends the link. Called from any thread, any number of times; the first cause counts. */
  private void fail(IOException cause) {
    if (!ended.compareAndSet(null, cause)) {
      return;
    }
    try {
      sayWhy(cause);
    } finally {
      wakeAll(cause); // even if there is no memory for the last words
    }
  }

  private void sayWhy(IOException cause) {
    ScheduledFuture<?> beating = heartbeats;
    if (beating != null) {
      beating.cancel(false);
    }
    if (cause instanceof ProtocolViolationException) {
      outbound.sendLast(new Goodbye(CloseCause.PROTOCOL_VIOLATION, cause.getMessage()), LAST_WORDS);
      LOG.log(System.Logger.Level.WARNING, "link ended: " + carrier, cause);
    } else {
      LOG.log(System.Logger.Level.DEBUG, () -> "link ended: " + carrier + ": " + cause);
    }
  }

  private void wakeAll(IOException cause) {
    outbound.fail(cause);
    inbound.stop();
    try {
      carrier.close(cause);
      account.linkEnded(reports);
    } finally {
      streams.all().forEach(stream -> stream.onLinkLost(cause));
      accepted.all().forEach(stream -> stream.onLinkLost(cause));
      try {
        listener.onEnded(this, cause);
      } finally {
        welcoming.wake();
      }
    }
  }

  private void onFrame(Frame frame) throws IOException {
    if (FRAMES.isLoggable(System.Logger.Level.TRACE)) {
      FRAMES.log(System.Logger.Level.TRACE, FrameLog.line(false, frame));
    }
    if (frame instanceof Data data) {
      stream(frame).onData(data.bytes(), data.endOfRequest());
    } else if (frame instanceof Credit credit) {
      stream(frame).onCredit(credit.moreBytes());
    } else if (frame instanceof ReturnEnd end) {
      stream(frame).onReturnEnd(end);
    } else if (frame instanceof Refused refused) {
      stream(frame).onRefused(refused);
    } else if (frame instanceof Close close) {
      stream(frame).onClose(close);
    } else if (frame instanceof Deadline deadline) {
      stream(frame).onDeadline(deadline);
    } else if (frame instanceof Heartbeat heartbeat) {
      outbound.sendLater(new HeartbeatAck(heartbeat.number()));
    } else if (frame instanceof Ack ack) {
      carrier.confirmed(ack.received());
      outbound.roomMayBeThere();
    } else if (frame instanceof Drain) {
      onDrain();
    } else if (frame instanceof Goodbye goodbye) {
      fail(
          new LinkLostException(
              "the rmigate gateway ended the session: "
                  + goodbye.cause().sentence()
                  + (goodbye.text().isEmpty() ? "" : " (" + goodbye.text() + ")"),
              null));
    } else if (frame instanceof Welcome greeting && welcome == null) {
      onWelcome(greeting);
    } else if (welcome == null) {
      throw new ProtocolViolationException("expected WELCOME first, got " + frame.type());
    } else if (frame instanceof HeartbeatAck ack) {
      coding.onAck(ack);
    } else {
      listener.onFrame(this, frame);
      if (preloading > 0 && frame instanceof Bound) {
        int left = preloading - 1;
        preloading = left;
        welcoming.wake();
      }
    }
  }

  private void onWelcome(Welcome greeting) throws ProtocolViolationException {
    if (greeting.version() != Tunnel.VERSION) {
      throw new ProtocolViolationException("expected version 1, got " + greeting.version());
    }
    if (!offers().containsAll(greeting.features())) {
      throw new ProtocolViolationException(
          "expected features that were offered, got " + greeting.features());
    }
    coding.onWelcome(greeting.coding());
    if (greeting.features().contains(Feature.RESUME)) {
      Resumer resumer =
          new Resumer(
              carrier,
              resumption,
              greeting.grace(),
              new LongFunction<>() {
                @Override
                public Hello apply(long received) {
                  return hello.resuming(greeting.session(), received);
                }
              },
              watch,
              new BooleanSupplier() {
                @Override
                public boolean getAsBoolean() {
                  return resumption.elsewhere().isFound(Link.this);
                }
              },
              reports);
      carrier.resumable(
          resumer,
          new Runnable() {
            @Override
            public void run() {
              onCut();
            }
          });
    } else {
      carrier.notResumable();
    }
    preloading = preloaded(greeting);
    welcome = greeting;
    welcoming.wake(); // the daemon may have read it for the thread that opens the link
  }

  private static int preloaded(Welcome greeting) throws ProtocolViolationException {
    String count = greeting.properties().getOrDefault(Welcome.PRELOADED, "0");
    try {
      return Math.max(0, Integer.parseInt(count));
    } catch (NumberFormatException e) {
      throw new ProtocolViolationException(
          "expected a number of preloaded names, got another text");
    }
  }

  /** Tells the gateway what has come, so that it need not keep it. By the reader. */
  private void acknowledge() {
    long received = carrier.acknowledgement(ACKNOWLEDGED_BYTES);
    if (received >= 0) {
      outbound.sendLater(new Ack(received));
    }
  }

  private LinkStream stream(Frame frame) throws ProtocolViolationException {
    int id = frame.stream();
    LinkStream stream = null;
    if (welcome != null) {
      stream = AcceptedStreams.isTheirs(id) ? accepted.get(id) : streams.get(id);
    }
    if (stream == null) {
      throw new ProtocolViolationException(
          "expected " + frame.type() + " on an open stream, got stream " + frame.stream());
    }
    return stream;
  }

  private void lost(IOException cause) {
    if (!carrier.lost(cause)) {
      fail(cause);
    }
  }

  /** Twice per heartbeat interval, or as long as a link may rest; on the timer: never blocks. */
  private void beat() {
    try {
      look();
    } catch (RuntimeException | Error ourOwn) { // unwatched, a dead link would not be noticed
      fail(new LinkLostException("the link cannot be watched: " + ourOwn, ourOwn));
    }
  }

  private void look() {
    long now = System.nanoTime();
    long interval = welcome.heartbeat().toNanos();
    long longestRest = rest.within(welcome.heartbeat()).toNanos();
    if (!carrier.isUp()) {
      return; // the carrier counts the time
    }
    long heard = Math.max(inbound.lastReadNanos(), carrier.upSinceNanos());
    if (now - heard > SILENT_HEARTBEATS * interval) {
      lost(
          new LinkLostException(
              "nothing was heard of the rmigate gateway for "
                  + Duration.ofNanos(now - heard).toSeconds()
                  + " s",
              null));
    } else if (now - heard > longestRest || now - outbound.lastWriteNanos() > longestRest / 2) {
      rest.kept();
      long received = carrier.acknowledgement(UNACKNOWLEDGED_AT_REST_BYTES);
      if (received >= 0) {
        outbound.sendLater(new Ack(received));
      }
      outbound.sendLater(coding.heartbeat());
    }
    if (now - lastReportNanos > interval / 2) {
      lastReportNanos = now;
      reportChanges();
    }
    outbound.releaseIdleCoder(now);
  }
}
