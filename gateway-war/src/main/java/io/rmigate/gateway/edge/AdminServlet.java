package io.rmigate.gateway.edge;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.services.ServicesView;
import io.rmigate.gateway.view.GatewayControl;
import io.rmigate.gateway.view.GatewayView;
import io.rmigate.gateway.view.HungCalls;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code /admin}, {@code /admin/sessions}, {@code /admin/calls}, {@code /admin/leases}, {@code
 * /admin/callbacks}, {@code /admin/learned}, {@code /admin/lockouts}, {@code /admin/lookups},
 * {@code /admin/services}, {@code /admin/targets}: what goes on, as JSON, for admins to read. By
 * {@code DELETE} they end a session, its leases and a lockout, of which there is a line in log and
 * audit; nothing else is changed here.
 */
public final class AdminServlet extends ReadOnlyServlet {
  private static final long serialVersionUID = 1L;

  /** Collections whose elements DELETE ends by name. */
  private static final Set<String> ENDABLE = Set.of("sessions", "lockouts", "leases");

  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .addModule(new SimpleModule().addSerializer(Instant.class, new ToStringSerializer()))
          .enable(SerializationFeature.INDENT_OUTPUT)
          .build();

  private static final Logger log = LoggerFactory.getLogger(AdminServlet.class);

  private final transient GatewayView view;
  private final transient GatewayControl control;
  private final transient HungCalls calls;
  private final transient ServicesView services;
  private final transient GatewayOverview overview;
  private final transient AdminDoor door;
  private final transient Supplier<LearnedView> learned;

  /** Shows the views to principals that {@code door} admits. */
  public AdminServlet(
      GatewayView view,
      GatewayControl control,
      HungCalls calls,
      ServicesView services,
      GatewayOverview overview,
      Supplier<LearnedView> learned,
      AdminDoor door) {
    this.view = view;
    this.control = control;
    this.calls = calls;
    this.services = services;
    this.overview = overview;
    this.learned = learned;
    this.door = door;
  }

  @Override
  void answer(HttpServletRequest request, HttpServletResponse response) throws IOException {
    if (!door.letsIn(request, response)) {
      return;
    }
    switch (below(request)) {
      case "" -> send(response, overview.view());
      case "/sessions" -> send(response, view.sessions());
      case "/calls" -> send(response, calls.list());
      case "/leases" -> send(response, view.leaseTable());
      case "/callbacks" -> send(response, view.callbackPorts());
      case "/lockouts" -> send(response, view.lockouts());
      case "/lookups" -> send(response, view.watchedNames());
      case "/services" -> send(response, services.services());
      case "/learned" -> send(response, learned.get());
      case "/targets" -> send(response, view.targets());
      default -> Answers.send(response, 404, Answers.TEXT, "not found\n");
    }
  }

  @Override
  void answerChange(HttpServletRequest request, HttpServletResponse response) throws IOException {
    List<String> path = List.of(below(request).replaceFirst("^/", "").split("/", 3));
    boolean isNamed = path.size() > 1 && !path.get(1).isEmpty();
    if (!request.getMethod().equals("DELETE") || !isNamed || !ENDABLE.contains(path.get(0))) {
      super.answerChange(request, response);
      return;
    }
    Optional<Principal> admin = door.changing(request, response);
    if (admin.isEmpty()) {
      return;
    }
    String id = path.get(1);
    Optional<String> ended = end(path.get(0), id, path.stream().skip(2).findFirst());
    if (ended.isEmpty()) {
      Answers.send(response, 404, Answers.TEXT, "not found\n");
      return;
    }
    Optional<String> session = path.get(0).equals("lockouts") ? Optional.empty() : Optional.of(id);
    door.audit().ended(request, admin.get(), ended.get(), session);
    log.info("{} has ended the {}", admin.get(), ended.get());
    send(response, Map.of("ended", ended.get()));
  }

  /**
   * Ends a session, a lockout or leases, and describes them for people; empty when none is found.
   */
  private Optional<String> end(String kind, String id, Optional<String> endpoint) {
    return switch (kind) {
      case "sessions" -> control.endSession(id).map(who -> "session " + id + " of " + who);
      case "lockouts" -> control.endLockout(id).map(who -> "lockout of " + who);
      case "leases" ->
          control.endLeases(id, endpoint)
              ? Optional.of("leases of session " + id + endpoint.map(at -> " at " + at).orElse(""))
              : Optional.empty();
      default -> throw new AssertionError(kind);
    };
  }

  private static void send(HttpServletResponse response, Object value) throws IOException {
    try {
      Answers.send(response, 200, Answers.JSON, JSON.writeValueAsBytes(value));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a view that is no JSON", e);
    }
  }
}
