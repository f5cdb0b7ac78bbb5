package io.rmigate.client.callback;

import io.rmigate.client.link.Link;
import io.rmigate.client.link.LinkSource;
import io.rmigate.client.link.LinkStream;
import io.rmigate.client.stats.UsageCounters;
import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.VmIdentifier;
import io.rmigate.protocol.tunnel.Accept;
import io.rmigate.protocol.tunnel.Feature;
import io.rmigate.protocol.tunnel.Frame;
import io.rmigate.protocol.tunnel.Hold;
import io.rmigate.protocol.tunnel.Listening;
import io.rmigate.protocol.tunnel.Release;
import java.io.Closeable;
import java.io.IOException;
import java.net.BindException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * The ports at which inner JVMs reach exported objects, of this JVM or, by a sidecar, of others,
 * and what the gateway says of them. Each is announced to the gateway of every session, under the
 * very number that stubs name.
 *
 * <p>Thread-safe. {@code lock} guards the listeners and who has announced them where; frames are
 * queued under it, never written. What the gateway says comes on the reader of the link, which
 * nothing here blocks.
 */
public final class Callbacks {
  private static final System.Logger.Level INFO = System.Logger.Level.INFO;
  private static final System.Logger.Level WARNING = System.Logger.Level.WARNING;

  /** Most listeners of one export. One is added only when no earlier one is usable. */
  private static final int MAX_LISTENERS_OF_EXPORT = 8;

  private final CallbackSettings settings;
  private final LinkSource links;
  private final Runnable needsLink;
  private final ScheduledExecutorService timer;
  private final UsageCounters account;
  private final Duration patience;
  private final ExportHost exportHost;
  private final OwnReferences references;

  private final AtomicLong sequence = new AtomicLong();

  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by lock.
  private final List<Listener> listeners = new ArrayList<>();
  private final Map<Link, SessionListeners> sessions = new HashMap<>();
  private boolean saidThatAllIsLocal;

  /** The link of the latest session; null before the first. */
  private Link current;

  private volatile CallbackObserver observer = CallbackObserver.NONE;

  /**
   * @param needsLink to be run when there are listeners and no link; must not block
   * @param patience for the gateway's answer, and for a link
   */
  public Callbacks(
      CallbackSettings settings,
      LinkSource links,
      Runnable needsLink,
      ScheduledExecutorService timer,
      UsageCounters account,
      Duration patience) {
    this.settings = settings;
    this.links = links;
    this.needsLink = needsLink;
    this.timer = timer;
    this.account = account;
    this.patience = patience;
    this.exportHost = new ExportHost(settings, links, patience);
    this.references =
        new OwnReferences(
            settings,
            exportHost,
            new OwnReferences.Opening() {
              @Override
              public Optional<EndpointId> reach(OwnExport export) throws IOException {
                return Callbacks.this.reach(export);
              }
            });
  }

  /** Whether the gateway is to be offered to listen. */
  public boolean areOffered() {
    return !settings.ports().isEmpty();
  }

  /** The host that stubs of exported objects name. */
  public ExportHost exportHost() {
    return exportHost;
  }

  /** References to objects of this JVM, where they cross the tunnel. */
  public OwnReferences references() {
    return references;
  }

  /** Sets the observer of ports that are lost and found again. */
  public void observer(CallbackObserver next) {
    observer = next;
  }

  /** Whether there are listeners, which need a link. */
  public boolean needLink() {
    lock.lock();
    try {
      return !listeners.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  // For the RMI runtime.

  /**
   * Has the gateway listen for objects that are exported on {@code port}, and only the gateway.
   *
   * @param port 0 for any
   * @return empty when the JVM is to listen itself: the configuration or the gateway says so
   * @throws BindException that very port cannot be had
   * @throws IOException there is no link, or the gateway does not listen; the message says what to
   *     configure
   */
  public Optional<ServerSocket> listen(int port) throws IOException {
    if (settings.rewritesReferences() || !settings.ports().contain(port)) {
      return Optional.empty();
    }
    AcceptQueue queue = new AcceptQueue();
    RuntimeSite site = new RuntimeSite(account, queue, 0, references);
    Listener listener = new Listener(port, site, this::onClosed);
    Link link = open(listener, exportHost::onExport);
    if (link == null) {
      sayThatAllIsLocal();
      return Optional.empty();
    }
    exportHost.onListening(link);
    return Optional.of(new CallbackServerSocket(listener, queue));
  }

  /**
   * The JVM listens itself for what is exported on {@code port}. The gateway is asked when a
   * reference to one of these objects crosses the tunnel; at once, and without waiting for it, when
   * the port was asked for by number, since nothing need cross for inner JVMs to know it.
   *
   * @param port that was asked for; 0 for any
   * @return what the RMI runtime is to accept from
   */
  public ServerSocket share(int port, ServerSocket local) throws IOException {
    if (!settings.rewritesReferences() || !settings.ports().contain(port)) {
      return local;
    }
    SharedServerSocket shared = new SharedServerSocket(local);
    OwnExport export =
        new OwnExport(shared, new RuntimeSite(account, shared, local.getLocalPort(), references));
    shared.closes(() -> onClosed(export));
    references.add(export);
    if (port != 0) {
      announce(export);
    }
    return shared;
  }

  private void onClosed(OwnExport export) throws IOException {
    references.remove(export);
    for (Listener listener : export.listeners()) {
      listener.close();
    }
  }

  /** Asks the gateway to listen at the same port, now or as soon as there is a link. */
  private void announce(OwnExport export) throws IOException {
    export.socket().share();
    Listener listener = new Listener(export.port(), export.site(), this::onClosed);
    export.listeners().add(listener);
    boolean linked;
    lock.lock();
    try {
      listeners.add(listener);
      linked = current != null && !current.hasEnded();
      if (linked && current.takes(Feature.CALLBACKS)) {
        sendTo(current, listener);
      }
    } finally {
      lock.unlock();
    }
    account.callbackPortsChanged(1);
    if (!linked) {
      needsLink.run();
    }
  }

  /** The endpoint at which inner JVMs reach the export; see {@link OwnReferences.Opening}. */
  private Optional<EndpointId> reach(OwnExport export) throws IOException {
    Listener listener = listenerOf(export);
    if (listener == null) {
      sayThatAllIsLocal();
      return Optional.empty();
    }
    references.onReached();
    String host =
        exportHost
            .named()
            .orElseThrow(
                () ->
                    new IOException(
                        "the rmigate gateway does not say what it is called inside (callbacks.host"
                            + " in its configuration), so that references to objects of this JVM"
                            + " cannot name it; set callback-host in the configuration of rmigate"
                            + " here"));
    return Optional.of(new EndpointId(host, listener.port()));
  }

  /**
   * One at which the gateway listens. It is asked for another port where it has none, or does not
   * give an earlier one back.
   *
   * @return null when it takes no callbacks
   */
  private Listener listenerOf(OwnExport export) throws IOException {
    Listener usable = usable(export);
    if (usable != null) {
      return usable;
    }
    export.opening().lock();
    try {
      for (Listener asked : export.listeners()) {
        awaitAnswer(asked);
      }
      usable = usable(export);
      if (usable != null) {
        return usable;
      }
      if (export.listeners().size() == MAX_LISTENERS_OF_EXPORT) {
        throw new IOException(
            "the rmigate gateway does not give this JVM back any of "
                + MAX_LISTENERS_OF_EXPORT
                + " ports for objects exported at port "
                + export.port()
                + "; it is asked again now and then");
      }
      export.socket().share();
      Listener another = new Listener(0, export.site(), this::onClosed);
      if (open(another, link -> {}) == null) {
        return null;
      }
      export.listeners().add(another);
      return another;
    } finally {
      export.opening().unlock();
    }
  }

  /** A listener that the gateway has given, and has not refused since; null without one. */
  private Listener usable(OwnExport export) {
    for (Listener listener : export.listeners()) {
      if (listener.hasBegun() && !isLost(listener)) {
        return listener;
      }
    }
    return null;
  }

  /** Waits for the answer to a port that was asked for by number, if it has not come. */
  private void awaitAnswer(Listener listener) throws IOException {
    if (listener.hasBegun()
        || isLost(listener)
        || !linkFor(listener.port()).takes(Feature.CALLBACKS)) {
      return;
    }
    Announcement asked;
    lock.lock();
    try {
      asked = listener.announcement();
    } finally {
      lock.unlock();
    }
    if (asked != null) {
      Listening unused = answerTo(asked, System.nanoTime() + patience.toNanos());
    }
  }

  private boolean isLost(Listener listener) {
    lock.lock();
    try {
      return listener.isLost();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Has the gateway listen for objects of another JVM, until the result is closed.
   *
   * @return empty when the gateway offers no callbacks
   * @throws IOException there is no link, or what {@code site} makes of the gateway's refusal
   */
  public Optional<Closeable> forward(int port, ExportSite site) throws IOException {
    Listener listener = new Listener(port, site, this::onClosed);
    Link link = open(listener, notOurStubs -> {});
    return link == null
        ? Optional.empty()
        : Optional.of(
            () -> {
              listener.held().releaseAll();
              listener.close();
            });
  }

  /**
   * Asks for a listener, in one session after the other until one has answered.
   *
   * @param asking hears at whose gateway, before it is asked
   * @return the link whose gateway listens; null when it takes no callbacks
   */
  private Link open(Listener listener, Consumer<Link> asking) throws IOException {
    long deadline = System.nanoTime() + patience.toNanos();
    while (true) {
      Link link = linkFor(listener.port());
      if (!link.takes(Feature.CALLBACKS)) {
        return null;
      }
      asking.accept(link);
      Announcement asked = announce(link, listener);
      Listening answer = await(asked, deadline);
      if (answer != null) {
        begin(listener, asked, answer);
        return link;
      }
    }
  }

  private Link linkFor(int port) throws IOException {
    try {
      return links.link();
    } catch (IOException failed) {
      throw new IOException(
          "the rmigate gateway cannot be asked to listen for objects exported on port "
              + port
              + ": "
              + failed.getMessage()
              + "; export=none in the configuration of rmigate keeps exported objects local",
          failed);
    }
  }

  private void sayThatAllIsLocal() {
    lock.lock();
    try {
      if (saidThatAllIsLocal) {
        return;
      }
      saidThatAllIsLocal = true;
    } finally {
      lock.unlock();
    }
    log(
        INFO,
        "the rmigate gateway does not listen for exported objects (callbacks in its configuration):"
            + " those of this JVM can be reached locally only");
  }

  private Announcement announce(Link link, Listener listener) {
    lock.lock();
    try {
      return sendTo(link, listener);
    } finally {
      lock.unlock();
    }
  }

  private Announcement sendTo(Link link, Listener listener) {
    Announcement asked = sessionOf(link).add(listener);
    listener.announcedBy(asked);
    asked.send(listener.port());
    return asked;
  }

  private SessionListeners sessionOf(Link link) {
    return sessions.computeIfAbsent(link, SessionListeners::new);
  }

  /** The gateway's answer; null when its session has ended before. */
  private Listening await(Announcement asked, long deadline) throws IOException {
    try {
      Listening answer = answerTo(asked, deadline);
      if (answer == null) {
        forget(asked);
      }
      return answer;
    } catch (IOException tooLong) {
      withdraw(asked);
      throw tooLong;
    }
  }

  /** The gateway's answer; null when its session has ended before. */
  private Listening answerTo(Announcement asked, long deadline) throws IOException {
    try {
      long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
      return asked.await((int) Math.max(1, Math.min(left, Integer.MAX_VALUE)));
    } catch (SocketTimeoutException tooLong) {
      throw new IOException(
          "the rmigate gateway has not answered within "
              + patience.toMillis()
              + " ms whether it listens for exported objects",
          tooLong);
    }
  }

  private void begin(Listener listener, Announcement asked, Listening answer) throws IOException {
    if (answer.outcome() != Listening.Outcome.LISTENING) {
      forget(asked);
      throw listener.site().refusal(answer, listener.port());
    }
    if (!listener.hasBegun()) {
      withdraw(asked);
      throw new BindException("the rmigate gateway has another port than " + listener.port());
    }
    boolean lost;
    lock.lock();
    try {
      listeners.add(listener);
      lost = asked.link().hasEnded();
      if (current != null && current != asked.link() && !current.hasEnded()) {
        sendTo(current, listener); // it came in between
      }
    } finally {
      lock.unlock();
    }
    account.callbackPortsChanged(1);
    if (lost) {
      needsLink.run();
    }
  }

  private void forget(Announcement asked) {
    lock.lock();
    try {
      SessionListeners session = sessions.get(asked.link());
      if (session != null) {
        session.remove(asked);
      }
      if (asked.link().hasEnded()) {
        sessions.remove(asked.link()); // which has said so before this one was added
      }
    } finally {
      lock.unlock();
    }
  }

  private void withdraw(Announcement asked) {
    boolean answered;
    lock.lock();
    try {
      answered = asked.answer() != null;
      asked.withdraw();
    } finally {
      lock.unlock();
    }
    if (answered || asked.link().hasEnded()) {
      forget(asked);
    }
  }

  private void onClosed(Listener listener) {
    List<Announcement> announced = new ArrayList<>();
    lock.lock();
    try {
      if (!listeners.remove(listener)) {
        return;
      }
      listener.retriedBy(null);
      for (SessionListeners session : sessions.values()) {
        session.all().stream().filter(a -> a.listener() == listener).forEach(announced::add);
      }
    } finally {
      lock.unlock();
    }
    announced.forEach(this::withdraw);
    if (listener.hasBegun()) {
      listener.held().close();
    }
    account.callbackPortsChanged(-1);
  }

  /**
   * A connection to what is exported here, which its own stubs name as inner JVMs would.
   *
   * @return empty when that is not us
   */
  public Optional<Socket> connectWithin(String host, int port) throws SocketException {
    Listener ours = listenerAt(host, port);
    return ours == null ? Optional.empty() : ours.site().connect();
  }

  /** Whether that is how inner JVMs reach what is exported here. */
  public boolean isOurs(String host, int port) {
    return listenerAt(host, port) != null;
  }

  /** The listener whose stubs name this endpoint; null for none. */
  private Listener listenerAt(String host, int port) {
    if (!exportHost.isOurs(host)) {
      return null;
    }
    lock.lock();
    try {
      return listeners.stream().filter(each -> each.port() == port).findAny().orElse(null);
    } finally {
      lock.unlock();
    }
  }

  // For the mediator.

  /** A session has begun: it is told of all listeners. Does not wait for what it says to that. */
  public void onLinked(Link link) {
    exportHost.onLinked(link);
    List<Listener> unreachable = new ArrayList<>();
    lock.lock();
    try {
      if (link.hasEnded()) {
        return; // as has been said already
      }
      current = link;
      for (Listener listener : listeners) {
        if (link.takes(Feature.CALLBACKS)) {
          sendTo(link, listener);
        } else if (!listener.isLost()) {
          listener.onLost();
          unreachable.add(listener);
        }
      }
    } finally {
      lock.unlock();
    }
    for (Listener listener : unreachable) {
      say(listener, "does not listen for exported objects any more");
    }
  }

  /**
   * What the gateway says of callbacks. On the reader of the link.
   *
   * @return false when the frame is about something else
   */
  public boolean onFrame(Link link, Frame frame) throws ProtocolViolationException {
    if (frame instanceof Accept accept) {
      onAccept(link, accept);
    } else if (frame instanceof Hold hold) {
      onHold(link, hold);
    } else if (frame instanceof Release release) {
      Listener listener = listener(link, release.listener());
      if (listener != null) {
        listener.held().release(link, release.objects());
      }
    } else if (frame instanceof Listening listening) {
      onListening(link, listening);
    } else {
      return false;
    }
    return true;
  }

  /** The listener with this number; null when it is unknown, withdrawn or has not begun. */
  private Listener listener(Link link, long number) throws ProtocolViolationException {
    lock.lock();
    try {
      Announcement known = sessionOf(link).get(number);
      return known == null || known.isWithdrawn() || !known.listener().hasBegun()
          ? null
          : known.listener();
    } finally {
      lock.unlock();
    }
  }

  private void onAccept(Link link, Accept accept) throws ProtocolViolationException {
    Listener listener = listener(link, accept.listener());
    String peer = accept.peer().getHostAddress() + ":" + accept.peerPort();
    LinkStream stream = link.accept(accept.opened(), peer);
    if (listener == null || !listener.site().accept(stream, accept.peer(), accept.peerPort())) {
      stream.close();
    }
  }

  private void onHold(Link link, Hold hold) throws ProtocolViolationException {
    Listener listener = listener(link, hold.listener());
    List<ObjIdentifier> objects = hold.objects();
    if (listener != null) {
      listener.held().hold(link, objects, link.holdBack());
    }
  }

  private void onListening(Link link, Listening listening) throws ProtocolViolationException {
    Announcement asked;
    Listener listener;
    boolean again;
    boolean found = false;
    boolean newlyLost = false;
    boolean began = false;
    lock.lock();
    try {
      asked = sessionOf(link).get(listening.listener());
      if (asked == null || asked.answer() != null) {
        throw new ProtocolViolationException(
            "expected LISTENING for a LISTEN, got number " + listening.listener());
      }
      listener = asked.listener();
      if (listening.outcome() == Listening.Outcome.LISTENING && !listener.hasBegun()) {
        begin(listener, listening.port()); // inner JVMs may be here at once
        began = listener.hasBegun();
      }
      boolean withdrawn = asked.isWithdrawn();
      asked.onAnswer(listening); // who waits for it may look at the listener from here on
      if (withdrawn || listening.outcome() != Listening.Outcome.LISTENING) {
        sessions.get(link).remove(asked);
      }
      if (listening.outcome() == Listening.Outcome.LISTENING) {
        exportHost.onHeard(link);
      }
      again = !withdrawn && listeners.contains(listener) && listener.announcement() == asked;
      if (again && listening.outcome() == Listening.Outcome.LISTENING) {
        found = listener.isLost();
        listener.onFound();
      } else if (again) {
        newlyLost = !listener.isLost() && !isHeardElsewhere(listener, link);
        retryLater(listener, link, newlyLost ? listener.onLost() : listener.pause());
      }
    } finally {
      lock.unlock();
    }
    if (began) {
      references.onReached();
    }
    asked.wake();
    if (found) {
      log(INFO, "port " + listener.port() + " at the rmigate gateway is ours again");
      observer.portFound(listener.port());
    } else if (newlyLost) {
      String text = listening.text().isEmpty() ? "" : ", " + listening.text();
      say(listener, "says " + listening.outcome() + text + "; it is asked again now and then");
    }
  }

  /** Whether the gateway of an earlier session, which is about to end, listens for it still. */
  private boolean isHeardElsewhere(Listener listener, Link link) {
    return sessions.values().stream()
        .flatMap(session -> session.all().stream())
        .anyMatch(a -> a.listener() == listener && a.link() != link && a.isListening());
  }

  private void begin(Listener listener, int port) {
    if (listener.port() == 0 || listener.port() == port) {
      listener.begin(port, new HeldObjects(listener.site(), newClient(), sequence, timer));
    }
  }

  /**
   * Under which the agent holds objects of its own JVM. One for each listener, since what one of
   * them has released another one at the same export may hold.
   */
  private static VmIdentifier newClient() {
    return new VmIdentifier(
        ThreadLocalRandom.current().nextLong(),
        ThreadLocalRandom.current().nextInt(),
        System.currentTimeMillis(),
        (short) ThreadLocalRandom.current().nextInt());
  }

  private void say(Listener listener, String reason) {
    account.callbackPortLost();
    log(
        WARNING,
        (listener.hasBegun()
                ? "inner JVMs do not reach exported objects any more whose stubs name port "
                : "inner JVMs do not reach what is exported on port ")
            + listener.port()
            + ": the rmigate gateway "
            + reason);
    observer.portLost(listener.port(), reason);
  }

  private void retryLater(Listener listener, Link link, long afterNanos) {
    try {
      listener.retriedBy(
          timer.schedule(() -> retry(listener, link), afterNanos, TimeUnit.NANOSECONDS));
    } catch (RejectedExecutionException closed) {
      log(System.Logger.Level.DEBUG, "rmigate is closed: port " + listener.port() + " stays lost");
    }
  }

  private void retry(Listener listener, Link link) {
    lock.lock();
    try {
      if (listeners.contains(listener) && current == link && !link.hasEnded()) {
        sendTo(link, listener);
      }
    } finally {
      lock.unlock();
    }
  }

  /** The gateway is going away: another one should listen before it has gone. */
  public void onDraining() {
    if (needLink()) {
      needsLink.run();
    }
  }

  /** Ends the listeners of a link that has ended, until there is another link. */
  public void onEnded(Link link) {
    List<Announcement> announced;
    boolean orphaned;
    lock.lock();
    try {
      SessionListeners session = sessions.remove(link);
      announced = session == null ? List.of() : session.all();
      orphaned = !listeners.isEmpty();
    } finally {
      lock.unlock();
    }
    for (Announcement gone : announced) {
      gone.wake();
      if (gone.listener().hasBegun()) {
        gone.listener().held().onSessionEnded(link);
      }
    }
    if (orphaned) {
      needsLink.run();
    }
  }

  private static void log(System.Logger.Level level, String message) {
    System.getLogger(Callbacks.class.getName()).log(level, message);
  }
}
