package io.rmigate.gateway.services;

import io.rmigate.gateway.login.Principal;
import io.rmigate.soap.call.CallPermission;
import io.rmigate.soap.publish.Publication;
import io.rmigate.soap.publish.Publications;
import jakarta.servlet.http.HttpServletRequest;
import java.io.OutputStream;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is published now, for whom, and what clients hold of it. A reload is in force for the
 * requests to come. Thread-safe.
 */
public final class Services implements ServicesView, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Services.class);
  private static final long EXPIRY_SECONDS = 1;

  /**
   * What a configuration says.
   *
   * @param objects by their paths
   */
  private record State(
      Map<String, PublishedObject> objects, ServiceSettings settings, int longestPath) {
    State(Map<String, PublishedObject> objects, ServiceSettings settings) {
      this(objects, settings, objects.keySet().stream().mapToInt(String::length).max().orElse(-1));
    }
  }

  private final Publications publications = new Publications();
  private final CallsInProgress calls = new CallsInProgress();
  private final LongSupplier ticker;
  private final BodyBudget bodies;
  private final Documents documents = new Documents();
  private final HandleTable handles;
  private final ScheduledExecutorService expiry;
  private final ScheduledFuture<?> expiring;

  private volatile State state = new State(Map.of(), ServiceSettings.DEFAULTS);

  /** Failures of the last load, by path. */
  private volatile Map<String, Publications.Failure> failures = Map.of();

  /** As what each path's classes were loaded, in the place of which stale ones are. */
  private volatile Map<String, PublishedObject> loaded = Map.of();

  /** Publications that have been logged, by path. Confined to the thread that loads. */
  private final Map<String, Publication> logged = new HashMap<>();

  public Services() {
    this(System::nanoTime, Clock.systemUTC());
  }

  Services(LongSupplier ticker, Clock clock) {
    this.ticker = ticker;
    bodies = new BodyBudget(ticker);
    handles = new HandleTable(ticker, clock, () -> state.settings());
    expiry =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "rmigate-handles");
              thread.setDaemon(true);
              return thread;
            });
    expiring =
        expiry.scheduleWithFixedDelay(
            this::expireQuietly, EXPIRY_SECONDS, EXPIRY_SECONDS, TimeUnit.SECONDS);
  }

  private void expireQuietly() {
    try {
      handles.expire();
    } catch (RuntimeException e) {
      // An exception would end the expiring for good.
      log.error("references of handles could not be released", e);
    }
  }

  /**
   * Publishes what a configuration says, as far as its jars can be read. Called by one thread at a
   * time; blocks for the reading, while who calls does not wait.
   */
  public void load(List<PublishedObject> objects, ServiceSettings settings) {
    if (expiry.isShutdown()) {
      return; // a reload that was under way when the gateway ended
    }
    Map<String, PublishedObject> byPath = new LinkedHashMap<>();
    objects.forEach(object -> byPath.put(object.path(), object));
    // Who may: at once, before classes that take their time.
    state = new State(byPath, settings);
    List<Publications.Failure> failed =
        publications.load(objects.stream().map(PublishedObject::entry).toList());
    failures =
        failed.stream().collect(Collectors.toMap(Publications.Failure::path, failure -> failure));
    Map<String, PublishedObject> before = loaded;
    Map<String, PublishedObject> after = new HashMap<>(byPath);
    failures
        .keySet()
        .forEach(path -> after.computeIfPresent(path, (same, object) -> before.get(path)));
    loaded = after;
    documents.forget();
    handles.retain(this::hasRight);
    logged.keySet().retainAll(byPath.keySet());
    failed.forEach(
        failure ->
            log.error(
                "publish: {}: {}{}",
                failure.path(),
                failure.reason(),
                isStale(failure) ? "; what was published there before still is" : ""));
    for (String path : publications.paths()) {
      if (!failures.containsKey(path)) {
        logPublished(path);
      }
    }
  }

  /** Whether its entry can be called all the same, with the classes that there were. */
  private boolean isStale(Publications.Failure failure) {
    return Optional.ofNullable(state.objects().get(failure.path()))
        .flatMap(this::use)
        .map(
            use -> {
              use.close();
              return true;
            })
        .orElse(false);
  }

  private void logPublished(String path) {
    publications
        .use(path)
        .ifPresent(
            use -> {
              try (use) {
                Publication publication = use.publication();
                if (publication.equals(logged.put(path, publication))) {
                  return;
                }
                List<String> refusals = refusals(publication);
                log.info(
                    "published {} at /services/{}, {} operations",
                    publication.entry().interfaceName(),
                    path,
                    publication.contract().operations().size());
                refusals.forEach(refusal -> log.warn("publish: {}: {}", path, refusal));
              }
            });
  }

  static List<String> refusals(Publication publication) {
    return publication.contracts().stream()
        .flatMap(
            contract ->
                contract.refusals().stream().map(refusal -> contract.name() + "." + refusal))
        .toList();
  }

  /**
   * Whether a principal may keep what it got from an object: the entry at that path is still the
   * same object, and the principal is in its list.
   */
  boolean hasRight(Principal principal, PublishedObject object) {
    PublishedObject now = state.objects().get(object.path());
    return now != null && now.isFor(principal) && now.isSameAs(object);
  }

  ServiceSettings settings() {
    return state.settings();
  }

  HandleTable handles() {
    return handles;
  }

  CallsInProgress calls() {
    return calls;
  }

  BodyBudget bodies() {
    return bodies;
  }

  Documents documents() {
    return documents;
  }

  /** Reads what is left of a body that is refused. */
  void passOver(HttpServletRequest refused) {
    new UnreadBody(ticker).passOver(refused, settings().limits().bodyBytes());
  }

  /** The stream of an answer; it fails when the client reads more slowly than it may. */
  OutputStream paced(OutputStream response) {
    return new PacedOutput(response, settings().pace(), ticker);
  }

  /** The service at a path below {@code /services/}; empty if there is none for the principal. */
  Optional<ServicePath> place(String path, Principal principal) {
    State now = state;
    // No further than an entry's path can reach: what follows is the client's, however long.
    for (int end = endOfPart(path, 0); end <= now.longestPath(); end = endOfPart(path, end + 1)) {
      PublishedObject object = now.objects().get(path.substring(0, end));
      if (object != null) {
        // No path begins with another one: this is the one.
        return object.isFor(principal)
            ? ServicePath.of(object, partsBehind(path, end))
            : Optional.empty();
      }
    }
    return Optional.empty();
  }

  /** Where the part that begins there ends; behind the last one: nowhere. */
  private static int endOfPart(String path, int start) {
    if (start > path.length()) {
      return Integer.MAX_VALUE;
    }
    int slash = path.indexOf('/', start);
    return slash < 0 ? path.length() : slash;
  }

  private static List<String> partsBehind(String path, int end) {
    return end == path.length() ? List.of() : List.of(path.substring(end + 1).split("/", -1));
  }

  /**
   * The publication of an entry, to be closed after use. Empty if its classes could not be loaded,
   * or if the loaded classes belong to another object or interface: the entry can be newer than the
   * classes while jars are read, or if they cannot be read.
   */
  Optional<Publications.Use> use(PublishedObject object) {
    Optional<Publications.Use> found = publications.use(object.path());
    PublishedObject of = loaded.get(object.path());
    boolean same = of != null && object.isSameAs(of);
    if (found.isPresent() && !(same && isOf(object, found.get().publication()))) {
      found.get().close();
      return Optional.empty();
    }
    return found;
  }

  private static boolean isOf(PublishedObject object, Publication publication) {
    return publication.entry().interfaceName().equals(object.entry().interfaceName());
  }

  /** The objects that are published for a principal, in the order of the configuration. */
  List<PublishedObject> visible(Principal principal) {
    return state.objects().values().stream().filter(object -> object.isFor(principal)).toList();
  }

  /**
   * What those who may call an object may call of it. The entry may list fewer methods than the
   * publication has, if its jars could not be loaded anew.
   */
  static CallPermission permission(PublishedObject object) {
    return (contract, operation) ->
        object.entry().publishes(contract.type(), operation.method().getName());
  }

  /** Refuses new requests; requests in progress continue. */
  public void stop() {
    calls.stop();
  }

  /** Waits for the requests in progress, but no longer than that. */
  public void awaitIdle(Duration limit) throws InterruptedException {
    calls.awaitIdle(limit);
  }

  /** Number of handles of clients, now. */
  public long handleCount() {
    return handles.size();
  }

  @Override
  public Snapshot services() {
    List<EntryView> entries = new ArrayList<>();
    state.objects().values().forEach(object -> entries.add(entry(object)));
    return new Snapshot(entries, calls.list(), handles.list(), bodies.taken());
  }

  @Override
  public Stream<CallView> waitingCalls() {
    return calls.waiting();
  }

  private EntryView entry(PublishedObject object) {
    Optional<Publications.Failure> failure = Optional.ofNullable(failures.get(object.path()));
    List<String> operations = new ArrayList<>();
    List<String> refusals = new ArrayList<>();
    use(object)
        .ifPresent(
            use -> {
              try (use) {
                use.publication()
                    .contracts()
                    .forEach(
                        contract ->
                            contract
                                .operations()
                                .forEach(
                                    operation ->
                                        operations.add(contract.name() + "." + operation.name())));
                refusals.addAll(refusals(use.publication()));
              }
            });
    return new EntryView(
        object.path(),
        "rmi://" + object.name(),
        object.entry().interfaceName(),
        object.principals().stream().sorted().toList(),
        failure.map(f -> isStale(f) ? "stale" : "failed").orElse("published"),
        failure.map(Publications.Failure::reason).orElse(""),
        operations,
        refusals);
  }

  @Override
  public void close() {
    expiring.cancel(false);
    expiry.shutdown();
    handles.close();
    publications.close();
  }
}
