package io.rmigate.gateway.callback;

import io.rmigate.gateway.callback.port.PortFile;
import io.rmigate.gateway.callback.port.PortLedger;
import io.rmigate.gateway.log.RareLines;
import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.relay.RelayLoop;
import io.rmigate.gateway.relay.listener.InnerListener;
import io.rmigate.protocol.tunnel.Listening;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes ports of the inner interface for agents, as far as policy, the {@link PortLedger} and the
 * operating system agree, and has it written down whose they are. Thread-safe; does not block.
 */
final class InnerPorts {
  private static final Logger LOG = LoggerFactory.getLogger(InnerPorts.class);

  /** Ports of other programs that one search passes over. */
  private static final int MAX_BINDS = 64;

  /** A relay loop lets go of a closed port in its next round. */
  private static final long CLOSING_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** A file that cannot be written is tried again so often. */
  private static final long AGAIN_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** The longest wait for a file. */
  private static final long LONGEST_WAIT_NANOS = TimeUnit.SECONDS.toNanos(1);

  /**
   * A port, or why there is none.
   *
   * @param address null without a port
   * @param closing the port is about to be free: asked for again soon, it may be had
   */
  record Bound(
      Optional<InnerListener> listener,
      InetAddress address,
      Listening.Outcome outcome,
      String text,
      boolean closing) {

    private static Bound on(InnerListener listener, InetAddress address) {
      return new Bound(Optional.of(listener), address, Listening.Outcome.LISTENING, "", false);
    }

    private static Bound refused(Listening.Outcome outcome, String text) {
      return new Bound(Optional.empty(), null, outcome, "rmigate: " + text, false);
    }
  }

  private final Supplier<Optional<CallbackSettings>> settings;
  private final CallbackMeters meters;
  private final PortLedger ledger = new PortLedger(System::nanoTime);
  private final Optional<PortFile> file;
  private final BackgroundTask writing;

  /** Times at which ports were closed that a relay loop may still have. */
  private final Map<Integer, Long> closing = new ConcurrentHashMap<>();

  /** Start of the next search of the range. */
  private final AtomicInteger next =
      new AtomicInteger(ThreadLocalRandom.current().nextInt(1 << 16));

  /** Lock that admits one writer at a time. */
  private final ReentrantLock writes = new ReentrantLock();

  /** Version that was written last, or could not be written. */
  private volatile long triedVersion;

  /** When that could not be. */
  private volatile long failedNanos;

  private volatile boolean failed;

  private final Queue<Waiting> waiting = new ConcurrentLinkedQueue<>();
  private final RareLines lines = new RareLines();

  /** Something that waits until a version of the ledger is written. */
  private record Waiting(long version, long sinceNanos, Runnable then) {}

  /**
   * @param state directory of what must outlive a restart; empty: nothing does
   * @param blocking runs what blocks
   */
  InnerPorts(
      Supplier<Optional<CallbackSettings>> settings,
      Optional<Path> state,
      Executor blocking,
      CallbackMeters meters) {
    this.settings = settings;
    this.meters = meters;
    this.file = state.map(directory -> new PortFile(directory.resolve("callback-ports")));
    this.writing = new BackgroundTask(blocking, this::write);
    file.ifPresent(ports -> ledger.inherit(ports.read(), quarantine().toNanos()));
    this.triedVersion = ledger.version();
  }

  private Duration quarantine() {
    return settings.get().map(now -> now.ports().quarantine()).orElse(CallbackSettings.QUARANTINE);
  }

  /**
   * Takes a port.
   *
   * @param port 0: any
   */
  Bound listen(Principal principal, RelayLoop loop, int port) {
    CallbackSettings now = settings.get().orElse(null);
    Optional<CallbackSettings.Allowance> allowance =
        now == null ? Optional.empty() : now.allowance(principal);
    if (allowance.isEmpty()) {
      meters.refused("callback-principal");
      if (mayWrite(principal, "principal")) {
        LOG.warn(
            "principal {} may not export objects; to allow it add it to an entry of"
                + " callbacks.allow",
            principal);
      }
      return Bound.refused(
          Listening.Outcome.NOT_PERMITTED, "callbacks are not permitted to you here");
    }
    return port == 0
        ? anyPort(principal, loop, now, allowance.get())
        : thatPort(principal, loop, now, allowance.get(), port);
  }

  private boolean mayWrite(Principal principal, String reason) {
    return lines.mayWrite(List.of(owner(principal), reason));
  }

  private Bound thatPort(
      Principal principal,
      RelayLoop loop,
      CallbackSettings now,
      CallbackSettings.Allowance allowance,
      int port) {
    String owner = owner(principal);
    boolean wasTheirs = ledger.isQuarantinedFor(owner, port);
    if (!wasTheirs && !allowance.allows(port)) {
      meters.refused("callback-port");
      if (mayWrite(principal, "port")) {
        LOG.warn(
            "port {} refused to principal {}; to allow it add it to explicit of an entry of"
                + " callbacks.allow",
            port,
            principal);
      }
      return Bound.refused(
          Listening.Outcome.NOT_PERMITTED, "port " + port + " is not permitted to you here");
    }
    switch (ledger.claim(owner, port, allowance.maxPorts())) {
      case TAKEN -> {
        return inUse(port);
      }
      case TOO_MANY -> {
        return tooMany(principal, allowance);
      }
      case GRANTED -> {}
    }
    try {
      return Bound.on(InnerListener.bind(loop, now.address(), port), now.address());
    } catch (IOException failure) {
      ledger.giveBack(port, wasTheirs, now.ports().quarantine().toNanos());
      if (failure instanceof BindException && isClosing(port)) {
        Bound inUse = inUse(port);
        return new Bound(Optional.empty(), null, inUse.outcome(), inUse.text(), true);
      }
      return failure instanceof BindException && isHere(now.address())
          ? inUse(port)
          : failed(now, failure);
    }
  }

  private Bound anyPort(
      Principal principal,
      RelayLoop loop,
      CallbackSettings now,
      CallbackSettings.Allowance allowance) {
    String owner = owner(principal);
    List<InnerListener> unusable = new ArrayList<>();
    try {
      for (int binds = 0; binds < MAX_BINDS; binds++) {
        PortLedger.Claim claim =
            now.ports().range().isAny()
                ? ledger.claimNothing(owner, allowance.maxPorts())
                : ledger.claimFree(owner, now.ports().range(), next.get(), allowance.maxPorts());
        if (claim.answer() == PortLedger.Answer.TOO_MANY) {
          return tooMany(principal, allowance);
        } else if (claim.answer() == PortLedger.Answer.TAKEN) {
          break;
        }
        InnerListener listener;
        try {
          listener = InnerListener.bind(loop, now.address(), claim.port());
        } catch (IOException failure) {
          if (claim.port() == 0) {
            return failed(now, failure);
          }
          ledger.giveBack(claim.port(), false, 0);
          if (failure instanceof BindException && isHere(now.address())) {
            next.set(
                claim.port() - now.ports().range().first() + 1); // another program has that one
            continue;
          }
          return failed(now, failure);
        }
        if (claim.port() != 0) {
          next.set(
              claim.port() - now.ports().range().first() + 1); // the next search begins behind it
          return Bound.on(listener, now.address());
        }
        if (ledger.claimUnused(owner, listener.port(), allowance.maxPorts())) {
          return Bound.on(listener, now.address());
        }
        unusable.add(listener); // kept meanwhile, or we would be given it again
      }
    } finally {
      unusable.forEach(InnerListener::close);
    }
    meters.refused("callback-limit");
    if (mayWrite(principal, "range")) {
      LOG.warn(
          "no port of callbacks.ports ({}) is free for principal {}",
          now.ports().range(),
          principal);
    }
    return Bound.refused(Listening.Outcome.TOO_MANY, "no port is free at the gateway");
  }

  private Bound inUse(int port) {
    meters.refused("callback-port");
    return Bound.refused(
        Listening.Outcome.PORT_IN_USE, "port " + port + " is in use at the gateway");
  }

  private Bound tooMany(Principal principal, CallbackSettings.Allowance allowance) {
    meters.refused("callback-limit");
    if (mayWrite(principal, "limit")) {
      LOG.warn(
          "principal {} has all the ports that max-ports of callbacks.allow gives it ({}), those"
              + " in quarantine included",
          principal,
          allowance.maxPorts());
    }
    return Bound.refused(Listening.Outcome.TOO_MANY, "no more ports for you at the gateway");
  }

  private Bound failed(CallbackSettings now, IOException failure) {
    if (lines.mayWrite(now.address())) {
      LOG.warn(
          "cannot listen on {} for callbacks: {}",
          now.address().getHostAddress(),
          failure.toString());
    }
    return Bound.refused(
        Listening.Outcome.FAILED, "the gateway cannot listen on its inner interface");
  }

  /** Whether the address is one of this machine's: then it is the port that is not free. */
  private static boolean isHere(InetAddress address) {
    try (ServerSocket probe = new ServerSocket(0, 1, address)) {
      return probe.isBound();
    } catch (IOException no) {
      return false;
    }
  }

  private static String owner(Principal principal) {
    return principal.scheme() + " " + principal.name();
  }

  /** A port is not listened at any more, as soon as its loop has let go of it. */
  void freed(int port) {
    closing.put(port, System.nanoTime());
    ledger.free(port, quarantine().toNanos());
  }

  private boolean isClosing(int port) {
    Long since = closing.get(port);
    return since != null && System.nanoTime() - since < CLOSING_NANOS;
  }

  /** Forgets what has long been free, and waits for a slow disk no longer. */
  void tick(long now) {
    closing.values().removeIf(since -> now - since > CLOSING_NANOS);
    if (!failed || now - failedNanos > AGAIN_NANOS) {
      keepOwners();
    }
    goOn(one -> one.version() <= triedVersion || now - one.sinceNanos() > LONGEST_WAIT_NANOS);
  }

  /** Ports in quarantine. */
  List<Integer> quarantined() {
    return ledger.quarantined();
  }

  /**
   * Runs an action once the owners of ports are saved: before a client's JVM is told of its port,
   * so that a killed gateway finds the owner again. Runs it at once when they are saved already;
   * otherwise on the thread that has saved them or has failed to, but soon in any case.
   */
  void whenOwnersAreKept(Runnable then) {
    long version = ledger.version();
    if (file.isEmpty() || version == triedVersion) {
      then.run();
      return;
    }
    waiting.add(new Waiting(version, System.nanoTime(), then));
    keepOwners();
  }

  private void goOn(Predicate<Waiting> which) {
    for (Waiting one : List.copyOf(waiting)) {
      if (which.test(one) && waiting.remove(one)) {
        one.then().run();
      }
    }
  }

  /** Starts to write the owners of the ports to the file, if they have changed. */
  private void keepOwners() {
    if (file.isPresent() && (failed || ledger.version() != triedVersion)) {
      boolean unused = writing.begin(); // or it is under way, and looks again
    }
  }

  /** Writes as often as there is something new meanwhile. Blocks. */
  private void write() {
    do {
      tryToWrite();
      goOn(one -> one.version() <= triedVersion);
    } while (!waiting.isEmpty() && ledger.version() != triedVersion);
  }

  private void tryToWrite() {
    writes.lock();
    boolean failedBefore = failed;
    long version = ledger.version();
    try {
      file.orElseThrow().write(ledger.owners());
      failed = false;
    } catch (IOException failure) {
      failedNanos = System.nanoTime();
      failed = true;
      if (!failedBefore) {
        LOG.warn(
            "{} cannot be written ({}): after a restart, any principal could get the callback ports"
                + " of another one",
            file.orElseThrow(),
            failure.toString());
      }
    } finally {
      triedVersion = version;
      writes.unlock();
    }
  }

  /** Saves the owners of ports, on this thread, after a save in progress. */
  void close() {
    if (file.isPresent() && (failed || ledger.version() != triedVersion)) {
      write();
    }
    goOn(one -> true);
  }
}
