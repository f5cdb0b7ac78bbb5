package io.rmigate.gateway.services;

import io.rmigate.gateway.bridge.CallShare;
import io.rmigate.gateway.login.Principal;
import io.rmigate.protocol.LogText;
import io.rmigate.soap.json.Problem;
import io.rmigate.soap.publish.Contract;
import io.rmigate.soap.publish.Publication;
import io.rmigate.soap.publish.Publications;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;

/** One request of a principal that has logged in: resolves its address and serves it. */
final class ServiceVisit implements AutoCloseable {
  private static final String LEASE = "lease";

  /** Name of the list of all objects among the requests in progress. */
  private static final String CATALOGUE = "catalogue";

  private final ServiceContext context;
  private final HttpServletRequest request;
  private final Answer answer;
  private final Principal principal;
  private final ServiceSettings settings;
  private final String method;

  /** The address of {@code /services} as the client reaches it. */
  private final ServicesAddress root;

  /** The call of this request, if it is one. */
  private Optional<ObjectRequest> counted = Optional.empty();

  /** The path of the requested object, once it is known. */
  private Optional<ServicePath> found = Optional.empty();

  /** Name of the rule that refuses the request; empty when the request is not refused. */
  private String refusedBy = "";

  /** The share of the principal's limits that the call takes, if the request is one. */
  private CallShare share = CallShare.UNLIMITED;

  /** The place of the request among those in progress. */
  private Optional<CallsInProgress.Call> begun = Optional.empty();

  ServiceVisit(
      ServiceContext context, HttpServletRequest request, Answer answer, Principal principal) {
    this.context = context;
    this.request = request;
    this.answer = answer;
    this.principal = principal;
    settings = context.services().settings();
    method = request.getMethod();
    root = new ServicesAddress(request, settings);
  }

  /** Whether a remote object may have been called. */
  boolean hasReached() {
    return counted.filter(run -> run.call().hasReached()).isPresent();
  }

  /** Tells what became of it, if it was a call. */
  void count() {
    counted.ifPresent(ObjectRequest::count);
  }

  /** The request is refused. A search for objects counts towards lockouts, as by a tunnel. */
  void refused(ServiceRefusedException refusal) {
    refusedBy = refusal.rule();
    if (refusal.problem().kind() == Problem.Kind.NOT_FOUND) {
      context.bridge().onRefused(principal, peer(), "service " + LogText.brief(path()));
    }
  }

  /** The gateway itself has failed. */
  void failed() {
    if (!hasReached()) {
      refusedBy = ServiceRefusedException.rule(Problem.Kind.INTERNAL);
    }
  }

  /** Tells the audit of it, once it has been answered. */
  void audit() {
    new ServiceAudit(context.audit(), request, principal)
        .over(
            line -> context.bridge().warnRefused(principal, peer(), line),
            found.map(place -> place.object().path()).orElseGet(this::path),
            answer,
            refusedBy,
            begun,
            counted);
  }

  void serve() throws IOException, ServiceRefusedException {
    mustNotComeFromAnotherSite();
    if (context.bridge().isLockedOut(principal, peer())) {
      throw new ServiceRefusedException(
          Problem.Kind.FORBIDDEN,
          "You are locked out for a while, because too many different requests of yours were"
              + " refused.",
          "locked-out");
    }
    String path = path();
    if (path.isEmpty()) {
      if (!isReading()) {
        throw notAllowed("GET, HEAD");
      }
      begin("").isOf(CATALOGUE);
      context.catalogue().all(principal, root.get(), request.getHeader("Accept"), answer);
      return;
    }
    ServicePath place =
        context.services().place(path, principal).orElseThrow(ServiceVisit::nothing);
    found = Optional.of(place);
    CallsInProgress.Call call = begin(place.object().path());
    try (Publications.Use use =
        context.services().use(place.object()).orElseThrow(ServiceVisit::unloaded)) {
      if (place.handle().isPresent()) {
        atHandle(place, use.publication(), call);
      } else {
        atPublished(place, use.publication(), call);
      }
    }
  }

  private CallsInProgress.Call begin(String path) throws ServiceRefusedException {
    CallsInProgress.Call call = context.services().calls().begin(principal, path, settings);
    begun = Optional.of(call);
    return call;
  }

  /** Reads what is left of a body that is refused; only in a place: there may be many without. */
  void passOverBody() {
    if (begun.isPresent()) {
      context.services().passOver(request);
    }
  }

  private String peer() {
    return request.getRemoteAddr() + ":" + request.getRemotePort();
  }

  /** Marks the work of the request as done: only the answer is still to be sent. */
  void sends() {
    share.close();
    begun.ifPresent(call -> call.sends(settings));
  }

  @Override
  public void close() {
    share.carried(answer.bytes() + begun.map(CallsInProgress.Call::bytesRead).orElse(0L));
    share.close();
    begun.ifPresent(CallsInProgress.Call::close);
  }

  /** Below {@code /services}, without a slash at either end. */
  private String path() {
    String path = request.getPathInfo() == null ? "" : request.getPathInfo();
    int start = path.startsWith("/") ? 1 : 0;
    int end = path.length() > start && path.endsWith("/") ? path.length() - 1 : path.length();
    return path.substring(start, end);
  }

  /** A browser may be told by one site to use its user's login at another one. */
  private void mustNotComeFromAnotherSite() throws ServiceRefusedException {
    String origin = request.getHeader("Origin");
    if (origin != null
        && !isReading()
        && !origin.equalsIgnoreCase(OuterAddress.origin(root.get()))) {
      throw new ServiceRefusedException(
          Problem.Kind.FORBIDDEN, "Web pages of other sites cannot call this.");
    }
    if (isPartOfAnotherSite()) {
      throw new ServiceRefusedException(
          Problem.Kind.FORBIDDEN, "Web pages of other sites cannot show this.");
    }
  }

  /**
   * Whether a page of another site embeds the address, for example as an image (W3C Fetch Metadata
   * Request Headers). A browser sends such a request with the login of its user. The page must
   * learn nothing from it, and the user must not be locked out for it. Links on other sites may be
   * followed.
   */
  private boolean isPartOfAnotherSite() {
    String site = request.getHeader("Sec-Fetch-Site");
    return site != null
        && !site.equals("same-origin")
        && !site.equals("none")
        && !"document".equals(request.getHeader("Sec-Fetch-Dest"));
  }

  private boolean isReading() {
    return method.equals("GET") || method.equals("HEAD");
  }

  private void atPublished(ServicePath place, Publication publication, CallsInProgress.Call call)
      throws IOException, ServiceRefusedException {
    Optional<Front> description = context.dispatch().forDescription(place.rest(), query());
    ObjectRequest run = run(place, publication, publication.contract(), Optional.empty(), call);
    if (isReading() && description.isPresent()) {
      run.describe(description.get());
    } else if (isReading() && place.rest().isEmpty()) {
      context
          .catalogue()
          .one(place.object(), publication, root.get(), request.getHeader("Accept"), answer);
    } else {
      call(run, description.isPresent() ? "GET, HEAD" : "GET, HEAD, POST");
    }
  }

  private String query() {
    return request.getQueryString() == null ? "" : request.getQueryString();
  }

  /** The front that describes an object, if the query asks for that. */
  private Optional<Front> described() {
    return context.dispatch().forDescription("", query());
  }

  private void atHandle(ServicePath place, Publication publication, CallsInProgress.Call call)
      throws IOException, ServiceRefusedException {
    ServicePath.HandleName name = place.handle().orElseThrow();
    try (HandleTable.Use handle =
        context
            .services()
            .handles()
            .find(name.id(), principal)
            .orElseThrow(ServiceVisit::nothing)) {
      Contract contract =
          publication.contracts().stream()
              .filter(c -> handle.path().equals(place.object().path()))
              .filter(c -> c.type().getName().equals(handle.interfaceName()))
              .filter(c -> c.name().equals(name.contract()))
              .findFirst()
              .orElseThrow(ServiceVisit::nothing);
      atHandle(run(place, publication, contract, Optional.of(handle), call), handle);
    }
  }

  private void atHandle(ObjectRequest run, HandleTable.Use handle)
      throws IOException, ServiceRefusedException {
    HandleTable handles = context.services().handles();
    String rest = run.object().operation();
    Optional<Front> description = rest.isEmpty() ? described() : Optional.empty();
    if (isReading() && description.isPresent()) {
      run.describe(description.get());
    } else if (rest.isEmpty() && isReading()) {
      context
          .catalogue()
          .handle(run.object().address(), run.object().contract(), handle.expires(), answer);
    } else if (rest.isEmpty() && method.equals("DELETE")) {
      handles.release(handle.id(), principal);
      answer.begin(204, "");
    } else if (rest.equals(LEASE) && method.equals("PUT")) {
      Instant expires = handles.renew(handle.id(), principal).orElseThrow(ServiceVisit::nothing);
      context.catalogue().handle(run.object().address(), run.object().contract(), expires, answer);
    } else if (rest.equals(LEASE) && run.object().contract().operation(rest).isEmpty()) {
      throw notAllowed("PUT");
    } else {
      call(run, "GET, HEAD, POST, DELETE");
    }
  }

  private ObjectRequest run(
      ServicePath place,
      Publication publication,
      Contract contract,
      Optional<HandleTable.Use> handle,
      CallsInProgress.Call call) {
    ServedObject object = new ServedObject(root, place, publication, contract, handle);
    return new ObjectRequest(context, request, answer, principal, settings, object, call);
  }

  /**
   * @param allowed at the address of the object itself
   */
  private void call(ObjectRequest run, String allowed) throws IOException, ServiceRefusedException {
    String operation = run.object().operation();
    boolean named = !operation.isEmpty();
    boolean known =
        !named
            || run.object()
                .contract()
                .operation(operation)
                .filter(found -> run.object().permission().permits(run.object().contract(), found))
                .isPresent();
    if (!method.equals("POST")) {
      if (!known && !allowed.endsWith("HEAD")) {
        throw nothing();
      }
      throw notAllowed(named && known ? "POST" : allowed);
    }
    if (!known) {
      throw allowed.endsWith("HEAD") ? notAllowed(allowed) : nothing();
    }
    // Not getContentType, which fails in Jetty when it knows no such charset.
    String contentType = Optional.ofNullable(request.getHeader("Content-Type")).orElse("");
    Front front =
        context
            .dispatch()
            .forCall(contentType, named)
            .orElseThrow(
                () ->
                    new ServiceRefusedException(
                        Problem.Kind.MEDIA_TYPE,
                        "Send JSON to the address of an operation, or a SOAP envelope to that of the"
                            + " object."));
    CallShare taken =
        context.bridge().share(principal, peer(), run.object().place().object().name().registry());
    if (taken.refusedBy().isPresent()) {
      throw new ServiceRefusedException(
          Problem.Kind.TOO_MANY, "Your calls exceed a limit.", taken.refusedBy().get());
    }
    share = taken;
    counted = Optional.of(run);
    run.with(front::call);
  }

  private ServiceRefusedException notAllowed(String allowed) {
    answer.header("Allow", allowed);
    return new ServiceRefusedException(Problem.Kind.METHOD, "Allowed: " + allowed + ".");
  }

  private static ServiceRefusedException nothing() {
    return new ServiceRefusedException(
        Problem.Kind.NOT_FOUND,
        "There is no such object or operation, or it is not for this login.");
  }

  /** Its entry is there; what its jars hold could never be loaded. */
  private static ServiceRefusedException unloaded() {
    return new ServiceRefusedException(
        Problem.Kind.BUSY, "This object cannot be called now; the gateway's log says why.");
  }
}
