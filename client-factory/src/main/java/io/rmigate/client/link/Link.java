package io.rmigate.client.link;

import io.rmigate.client.deadline.CallClock;
import io.rmigate.client.stats.LinkTraffic;
import io.rmigate.client.stats.UsageCounters;
import io.rmigate.client.transport.Transport;
import io.rmigate.client.transport.TransportConnector;
import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.coding.CodingFigures;
import io.rmigate.protocol.coding.Compression;
import io.rmigate.protocol.coding.ContentCoding;
import io.rmigate.protocol.tunnel.Ack;
import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.Drain;
import io.rmigate.protocol.tunnel.Feature;
import io.rmigate.protocol.tunnel.Frame;
import io.rmigate.protocol.tunnel.Goodbye;
import io.rmigate.protocol.tunnel.HeartbeatAck;
import io.rmigate.protocol.tunnel.Hello;
import io.rmigate.protocol.tunnel.Leaving;
import io.rmigate.protocol.tunnel.OpenRaw;
import io.rmigate.protocol.tunnel.Report;
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
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/**
 * One session with a gateway. {@link #greet} begins it. It ends once: by {@link #close}, by the
 * gateway's goodbye, or by the loss of its transport connection when no other one can be had in
 * time ({@link Carrier}).
 *
 * <p>Threads: any may open streams; frames come in on whichever thread reads the link ({@link
 * LinkInbound}).
 */
public final class Link {
  /** The credit: bytes that the gateway may send on a stream before the agent has read them. */
  static final int GATEWAY_CREDIT_BYTES = 256 * 1024;

  private static final System.Logger LOG = System.getLogger(Link.class.getName());

  /** The log category of frames. */
  static final String FRAME_LOG = "io.rmigate.frames";

  /** How many received bytes may stay unacknowledged on a link in use. */
  private static final int UNACKNOWLEDGED_BYTES = 128 * 1024;

  /** How long after the deadline a gateway may answer, besides a round trip. */
  private static final long LATE_ANSWER_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private static final long LONGEST_PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** How long the end of a link waits for its last frames to leave. */
  private static final Duration LAST_FRAMES_TIME = Duration.ofMillis(200);

  private final Carrier carrier;
  private final SessionReport report;
  private final UsageCounters account;
  private final Events events = new Events();
  private final LinkListener listener;
  private final LinkOutbound outbound;
  private final LinkInbound inbound;
  private final LinkCoding coding;
  private final StreamTable streams = new StreamTable();
  private final AcceptedStreams accepted = new AcceptedStreams();
  private final Barrier barrier = new Barrier();
  private final AtomicReference<IOException> ended = new AtomicReference<>();

  private final LinkGreeting greeting = new LinkGreeting(this);
  private final LinkDrain drain = new LinkDrain();
  private final LinkHeartbeat heartbeat;

  /** Receives the events of the parts of the link, and the questions of the account. */
  private final class Events
      implements Consumer<IOException>, Runnable, LinkTraffic.Meter, Resumer.Session {
    /** The link has failed. */
    @Override
    public void accept(IOException cause) {
      fail(cause);
    }

    /** The reader has handled all that it has read. */
    @Override
    public void run() {
      acknowledge(UNACKNOWLEDGED_BYTES);
    }

    @Override
    public LinkTraffic traffic() {
      return Link.this.traffic();
    }

    @Override
    public Hello hello(SessionToken token, long received) {
      return greeting.hello().resuming(token, received);
    }

    @Override
    public boolean isReplaced() {
      return resumption.elsewhere().isFound(Link.this);
    }

    @Override
    public void onCut() {
      heartbeat.onCut();
    }

    @Override
    public void onGivenUp(IOException cause) {
      fail(cause);
    }
  }

  /** The timer that {@link #greet} was given. Written before the hello is sent. */
  private volatile ScheduledExecutorService timer;

  private final Resumption resumption;

  /** A link over a connection that has just been made; the link ends with that connection. */
  public Link(
      Transport transport, UsageCounters account, Compression compression, LinkListener listener) {
    this(transport, Resumption.NONE, account, compression, listener);
  }

  /**
   * A link over a connection that has just been made.
   *
   * @param resumption what happens when that connection is lost
   * @param account what the JVM does; the link reports its changes to the gateway
   * @param listener receives the frames that belong to no stream
   */
  public Link(
      Transport transport,
      Resumption resumption,
      UsageCounters account,
      Compression compression,
      LinkListener listener) {
    this(transport, resumption, account, compression, listener, new RestTime());
  }

  /**
   * A link over a connection that has just been made.
   *
   * @param rest how long idle connections last
   */
  Link(
      Transport transport,
      Resumption resumption,
      UsageCounters account,
      Compression compression,
      LinkListener listener,
      RestTime rest) {
    String name = Integer.toHexString(System.identityHashCode(transport));
    this.resumption = resumption;
    this.carrier = new Carrier(transport, resumption.isWanted());
    this.account = account;
    this.listener = listener;
    this.report = new SessionReport(account);
    this.outbound =
        new LinkOutbound(carrier, events, "rmigate-writer " + name, System.getLogger(FRAME_LOG));
    this.inbound =
        new LinkInbound(
            carrier, new LinkFrames(this, listener), events, events, "rmigate-reader " + name);
    this.coding = new LinkCoding(compression, outbound, inbound, transport.helloNanos());
    this.heartbeat = new LinkHeartbeat(this, carrier, coding, rest, resumption, accepted);
  }

  /**
   * The hello of a link, for {@link #greet}; its connection may carry it in its handshake already.
   *
   * @param properties of the hello
   */
  public static Hello hello(
      Resumption resumption,
      Compression compression,
      LinkListener listener,
      Map<String, String> properties) {
    return new Hello(
        Tunnel.VERSION,
        Tunnel.VERSION,
        offers(resumption, listener),
        SessionToken.NONE,
        0,
        GATEWAY_CREDIT_BYTES,
        ContentCoding.offered(compression),
        properties);
  }

  /**
   * Sends a hello with these properties, as {@link #greet(Duration, Hello,
   * ScheduledExecutorService)} does, over a transport that was opened without a hello.
   */
  public void greet(
      Duration timeout, Map<String, String> properties, ScheduledExecutorService daemonTimer)
      throws IOException {
    greet(timeout, hello(resumption, coding.mode(), listener, properties), daemonTimer);
  }

  /**
   * Sends the hello and waits for the gateway's welcome. Called once, before any other method but
   * {@link #close}, which may come from another thread and ends the wait.
   *
   * @param timeout for the welcome
   * @param hello the one with which the transport was opened, if it was opened with one
   * @param daemonTimer for the time-out and heartbeats
   * @throws IOException no session; the message says what to do
   */
  public void greet(Duration timeout, Hello hello, ScheduledExecutorService daemonTimer)
      throws IOException {
    ScheduledFuture<?> tooLate =
        schedule(
            daemonTimer,
            new Runnable() {
              @Override
              public void run() {
                fail(new ConnectException("the gateway did not welcome us in time"));
              }
            },
            Math.max(1, timeout.toNanos()),
            TimeUnit.NANOSECONDS);
    account.linkOpened(events);
    if (ended.get() != null) {
      account.linkEnded(events); // it has ended before it was counted
    }
    try {
      timer = daemonTimer;
      greeting.begin(hello);
      coding.greets();
      if (carrier.isGreeted()) {
        carrier.sent(hello); // before the welcome, which may be here already, is read
      }
      inbound.start(); // reads the welcome when the opening thread may not
      if (!carrier.isGreeted()) {
        outbound.send(hello);
      }
      while (!greeting.satisfied()) {
        inbound.await(greeting, CallerThread.mayDoIo() ? 0 : timeout.toNanos());
      }
    } finally {
      tooLate.cancel(false);
    }
    IOException failure = ended.get();
    if (failure != null) {
      throw failure;
    }
    try {
      heartbeat.start(daemonTimer, welcome().heartbeat());
    } catch (RejectedExecutionException closed) {
      close();
      throw new ConnectException("rmigate is closed");
    }
    LOG.log(System.Logger.Level.DEBUG, "link open: {0}", carrier);
  }

  /** A timer that has been shut down ends the link instead of leaking it. */
  private ScheduledFuture<?> schedule(
      ScheduledExecutorService runner, Runnable task, long delay, TimeUnit unit)
      throws IOException {
    try {
      return runner.schedule(task, delay, unit);
    } catch (RejectedExecutionException closed) {
      fail(new LinkLostException("rmigate is closed", closed));
      throw new ConnectException("rmigate is closed");
    }
  }

  /** Whether new streams may be opened here. */
  public boolean isUsable() {
    return ended.get() == null && !drain.isDraining();
  }

  /** Whether the gateway has asked the agent to use another link. */
  public boolean isDraining() {
    return drain.isDraining();
  }

  /** Makes the connections of this link; null when the link has only one. */
  public TransportConnector gateway() {
    return resumption.connector();
  }

  /** A request begins; false when it has to use another link. */
  boolean beginSending() {
    drain.begin();
    if (drain.isDraining()) {
      endSending();
      return false;
    }
    return true;
  }

  /** A request that {@link #beginSending} has let in has been sent, or never will be. */
  void endSending() {
    if (drain.end()) {
      tellDrained();
    }
  }

  void onDrain() {
    if (drain.toDraining()) {
      tellDrained();
    }
    listener.onDraining(this);
  }

  /** No request follows this frame, so that the gateway need not wait for any. */
  private void tellDrained() {
    outbound.sendLater(new Drain(Duration.ZERO));
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
    return System.nanoTime() - inbound.lastReadNanos() > welcome().heartbeat().toNanos() * 3 / 2;
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
    int max = welcome().maxStreams();
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

  /** Servers may call from now on: a thread always reads the link, so that no call waits. */
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
    return welcome().features().contains(feature);
  }

  /** How long the gateway keeps a session without a connection; zero: not at all. */
  public Duration graceAtGateway() {
    return takes(Feature.RESUME) ? welcome().grace() : Duration.ZERO;
  }

  /** The silence after which the gateway gives an agent up, even if its connection still works. */
  public Duration silenceAtGateway() {
    return welcome().heartbeat().multipliedBy(LinkHeartbeat.SILENT_HEARTBEATS);
  }

  /** How long the gateway keeps the leases of a session that has ended without a goodbye. */
  public Duration leasesAreKept() {
    return welcome().grace();
  }

  /** Whether the gateway knows where servers are whose stubs name loopback. */
  public boolean mapsLoopback() {
    return Boolean.parseBoolean(welcome().properties().get(Welcome.MAPS_LOOPBACK));
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

  /** Sends a heartbeat, whose answer wakes the thread that reads the link. */
  void askForASign() {
    outbound.sendLater(coding.heartbeat());
  }

  /** Host under which inner JVMs see the gateway, if it says so. */
  public Optional<String> innerHost() {
    return Optional.ofNullable(welcome().properties().get(Welcome.INNER_HOST));
  }

  /** Streams that are open or being closed. */
  public int openStreams() {
    return streams.all().size() + accepted.all().size();
  }

  /** Bytes sent so far over all its transport connections, see {@link Transport#bytesSent}. */
  public long bytesSent() {
    return carrier.bytesSent();
  }

  /** Bytes received so far over all its transport connections. */
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

  private static Set<Feature> offers(Resumption resumption, LinkListener listener) {
    Set<Feature> offers = EnumSet.noneOf(Feature.class);
    offers.addAll(listener.offers());
    offers.add(Feature.DEADLINES);
    offers.add(Feature.REASONS);
    offers.add(Feature.SEQUENCES);
    if (resumption.isWanted()) {
      offers.add(Feature.RESUME);
    }
    return offers;
  }

  /**
   * The JVM is about to end: tells the gateway what it has not been told, and that the end of this
   * link will be in order. The link stays usable. Waits a moment at most for that to leave.
   */
  public void leave() {
    if (greeting.isWelcomed()) {
      reportChanges();
      outbound.sendLast(new Leaving(), LAST_FRAMES_TIME);
    }
  }

  void reportChanges() {
    Optional<Report> changed = report.whatChanged();
    if (changed.isPresent()) {
      outbound.sendLater(changed.get());
    }
  }

  /** The coding that was agreed on, by its name on the wire. */
  public String coding() {
    return coding.coding().name();
  }

  /**
   * Whether sent frames are coded now, if that makes them shorter; the gateway was told the same.
   */
  public boolean isCoding() {
    return coding.isOn();
  }

  /** Figures of the frames that were sent coded. */
  public CodingFigures codingSent() {
    return coding.sent();
  }

  /** Figures of the frames that were received coded. */
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
    if (greeting.isWelcomed()) {
      reportChanges();
      outbound.sendLast(new Goodbye(CloseCause.DONE, ""), LAST_FRAMES_TIME);
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
        ? Math.min(LONGEST_PATIENCE_NANOS, roundTripNanos() + LATE_ANSWER_NANOS)
        : 0;
  }

  /** The shortest of the latest round trips; 0 while there was none. */
  long roundTripNanos() {
    return coding.roundTripNanos().orElse(0);
  }

  int agentCredit() {
    return welcome().streamCredit();
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
  void fail(IOException cause) {
    if (!ended.compareAndSet(null, cause)) {
      return;
    }
    try {
      logEnd(cause);
    } finally {
      wakeAll(cause); // even if there is no memory for the log line
    }
  }

  private void logEnd(IOException cause) {
    heartbeat.stop();
    if (cause instanceof ProtocolViolationException) {
      outbound.sendLast(
          new Goodbye(CloseCause.PROTOCOL_VIOLATION, cause.getMessage()), LAST_FRAMES_TIME);
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
      account.linkEnded(events);
    } finally {
      streams.all().forEach(stream -> stream.onLinkLost(cause));
      accepted.all().forEach(stream -> stream.onLinkLost(cause));
      try {
        listener.onEnded(this, cause);
      } finally {
        greeting.wake();
      }
    }
  }

  void onGoodbye(Goodbye goodbye) {
    fail(
        new LinkLostException(
            "the rmigate gateway ended the session: "
                + goodbye.cause().sentence()
                + (goodbye.text().isEmpty() ? "" : " (" + goodbye.text() + ")"),
            null));
  }

  void onAck(Ack ack) throws ProtocolViolationException {
    carrier.confirmed(ack.received());
    outbound.roomMayBeThere();
  }

  void onHeartbeatAck(HeartbeatAck ack) {
    coding.onAck(ack);
    heartbeat.onAck();
  }

  void onWelcome(Welcome answer) throws ProtocolViolationException {
    LinkGreeting.check(answer, greeting.hello().features());
    coding.onWelcome(answer.coding());
    if (answer.features().contains(Feature.RESUME)) {
      carrier.resumable(new Resumer(carrier, resumption, answer, events, coding, timer));
    } else {
      carrier.notResumable();
    }
    greeting.end(answer);
  }

  LinkGreeting greeting() {
    return greeting;
  }

  private Welcome welcome() {
    return greeting.welcome();
  }

  /**
   * Tells the gateway what has been received, so that it need not keep it.
   *
   * @param fewestBytes nothing is sent while no more than this is unacknowledged
   */
  void acknowledge(int fewestBytes) {
    long received = carrier.acknowledgement(fewestBytes);
    if (received >= 0) {
      outbound.sendLater(new Ack(received));
    }
  }

  LinkStream stream(Frame frame) throws ProtocolViolationException {
    int id = frame.stream();
    LinkStream stream = null;
    if (greeting.isWelcomed()) {
      stream = AcceptedStreams.isTheirs(id) ? accepted.get(id) : streams.get(id);
    }
    if (stream == null) {
      throw new ProtocolViolationException(
          "expected " + frame.type() + " on an open stream, got stream " + frame.stream());
    }
    return stream;
  }

  /** The connection works no more; the link ends unless it can be resumed. */
  void lost(IOException cause) {
    if (!carrier.lost(cause)) {
      fail(cause);
    }
  }
}
