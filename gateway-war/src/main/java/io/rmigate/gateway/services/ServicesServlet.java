package io.rmigate.gateway.services;

import io.rmigate.gateway.audit.AuditTrail;
import io.rmigate.gateway.bridge.BridgeCalls;
import io.rmigate.gateway.login.Login;
import io.rmigate.gateway.login.LoginResult;
import io.rmigate.gateway.login.Principal;
import io.rmigate.soap.call.FailureText;
import io.rmigate.soap.json.Problem;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code /services}: the catalogue; {@code /services/<path>}: a published object, its operations
 * and descriptions, and the handles below it. Finds out who asks first, and then what for: to whom
 * an object is not published it does not exist.
 */
public final class ServicesServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;
  private static final Logger log = LoggerFactory.getLogger(ServicesServlet.class);

  private final transient Supplier<Login> login;
  private final transient ServiceContext context;

  /**
   * @param login what is in force now
   * @param others fronts that are asked before the one for JSON
   * @param audit records each request of a principal that has logged in
   */
  public ServicesServlet(
      Services services,
      BridgeCalls bridge,
      Supplier<Login> login,
      List<Front> others,
      ServiceMeters meters,
      AuditTrail audit) {
    this.login = login;
    List<Front> fronts = new ArrayList<>(others);
    fronts.add(new JsonService());
    Dispatch dispatch = new Dispatch(fronts);
    context =
        new ServiceContext(
            services,
            bridge,
            dispatch,
            new Catalogue(services, dispatch.answersQuery("wsdl")),
            meters,
            audit);
  }

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Answer answer = new Answer(response, context.services()::paced);
    ServiceVisit visit = null;
    try {
      visit = new ServiceVisit(context, request, answer, principal(request, response, answer));
      visit.serve();
    } catch (ServiceRefusedException e) {
      context.meters().refused(e.rule());
      if (visit != null) {
        visit.refused(e);
      }
      answer.instead(e.problem(), e);
    } catch (IOException e) {
      log.debug("a request of a web-service client broke off", e);
      answer.instead(
          unfinished(visit, Problem.Kind.BAD_ARGUMENT, "The body could not be read."), e);
    } catch (RuntimeException | Error e) {
      // The error page of the container must not show the failure.
      log.error("a request of a web-service client failed: {}", FailureText.of(e));
      log.debug("where it failed", e);
      if (visit != null) {
        visit.failed();
      }
      answer.instead(unfinished(visit, Problem.Kind.INTERNAL, "The gateway's log says more."), e);
    } finally {
      finish(answer, visit);
    }
  }

  private static void finish(Answer answer, ServiceVisit visit) throws IOException {
    if (visit == null) {
      answer.finish();
      return;
    }
    try (visit) {
      if (answer.isRefusal() && answer.status() != Problem.Kind.TOO_SLOW.status()) {
        visit.passOverBody();
      }
      visit.sends();
      try {
        answer.finish();
      } finally {
        visit.count();
        visit.audit();
      }
    }
  }

  /** The problem of a broken request; it tells the client if a call may have been executed. */
  private static Problem unfinished(ServiceVisit visit, Problem.Kind kind, String detail) {
    return visit != null && visit.hasReached()
        ? Problem.of(Problem.Kind.BROKEN, "The call may have been executed.")
        : Problem.of(kind, detail);
  }

  private Principal principal(
      HttpServletRequest request, HttpServletResponse response, Answer answer)
      throws ServiceRefusedException {
    Login door = login.get();
    if (context.audit().refusesWork()) {
      answer.refused(door.shut(request, Problem.Kind.BUSY.status()));
      throw new ServiceRefusedException(Problem.Kind.BUSY, "This gateway cannot write its audit.");
    }
    LoginResult result = door.authenticate(request);
    if (result instanceof LoginResult.Accepted accepted) {
      return accepted.principal();
    }
    Login.refusal(result).ifPresent(answer::refused);
    if (Login.isBusy(result)) {
      throw new ServiceRefusedException(Problem.Kind.BUSY, "There are too many logins at a time.");
    }
    door.challenge(response);
    throw new ServiceRefusedException(Problem.Kind.NOT_LOGGED_IN, "Log in.");
  }
}
