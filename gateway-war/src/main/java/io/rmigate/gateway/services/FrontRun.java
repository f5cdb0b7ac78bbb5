package io.rmigate.gateway.services;

import io.rmigate.gateway.bridge.BridgeVisit;
import io.rmigate.gateway.login.Principal;
import io.rmigate.soap.call.CallFailure;
import io.rmigate.soap.call.CallPermission;
import io.rmigate.soap.call.Caller;
import io.rmigate.soap.call.RemoteObject;
import io.rmigate.soap.json.Problem;
import io.rmigate.soap.publish.Contract;
import io.rmigate.soap.publish.Publication;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeoutException;

/**
 * Has a front answer a request, with a visit to the inside that ends with it. Of one request;
 * confined to its thread.
 *
 * @param root of {@code /services}
 * @param handle of the object; empty: it is the published one
 */
record FrontRun(
    FrontDesk desk,
    HttpServletRequest request,
    Answer answer,
    Principal principal,
    ServiceSettings settings,
    ServicesAddress root,
    Place place,
    Publication publication,
    Contract contract,
    Optional<HandleTable.Use> handle,
    CallsInProgress.Call call) {

  /** What a front is to do. */
  @FunctionalInterface
  interface Step {
    void with(Exchange exchange) throws IOException;
  }

  /** Has a front describe the object, or sends what it has written before. */
  void describe(Front front) throws IOException {
    String query = request.getQueryString() == null ? "" : request.getQueryString();
    String what = front.getClass().getName() + " " + place.rest() + "?" + query;
    Set<String> methods = place.object().entry().methods();
    Documents.Key key = new Documents.Key(publication, methods, contract.type(), address(), what);
    desk.services()
        .documents()
        .send(key, answer, reply -> with(exchange -> front.describe(exchange.to(reply))));
  }

  /** Of the published object. */
  private String base() {
    return root.get() + "/" + place.object().path();
  }

  /** Of the object. */
  String address() {
    return base() + place.handle().map(name -> "/" + name.contract() + "/" + name.id()).orElse("");
  }

  void with(Step step) throws IOException {
    try (BodyBudget.Body body =
            desk.services()
                .bodies()
                .charge(
                    request.getInputStream(),
                    principal.name(),
                    settings.bodiesBytes(),
                    settings.limits().bodyBytes(),
                    settings.pace());
        BridgeVisit visit = desk.bridge().visit(publication, principal, settings.callTimeout())) {
      CallReferences references =
          new CallReferences(
              desk.services(),
              principal,
              place.object(),
              publication,
              visit,
              this::base,
              failure -> ends(CallEnd.unheld(failure)));
      answer.ifLost(references::withdraw);
      boolean told = false;
      try {
        step.with(exchange(body, visit, references));
        told = answer.isWhatWasAskedFor();
      } finally {
        references.end(told);
        call.hasRead(body.bytesRead());
      }
    } catch (BodyBudget.Exhausted e) {
      refuse(Problem.Kind.BUSY, "Too much is being sent at once.", e);
    } catch (BodyBudget.TooSlow e) {
      refuse(Problem.Kind.TOO_SLOW, "The body comes too slowly.", e);
    } catch (IOException e) {
      if (!isTimeout(e)) {
        throw e;
      }
      refuse(Problem.Kind.TOO_SLOW, "The body comes too slowly.", e);
    }
  }

  /** Whether the container has waited for long enough. */
  private static boolean isTimeout(IOException failure) {
    return failure instanceof SocketTimeoutException
        || failure.getCause() instanceof TimeoutException;
  }

  private void ends(CallEnd end) {
    call.ends(end);
    end.refusal().ifPresent(by -> answer.refused(by.numbered()));
  }

  /** The body goes no further. */
  private void refuse(Problem.Kind kind, String detail, IOException cause) throws IOException {
    if (!call.hasReached()) {
      call.ends(CallEnd.refused(Refused.rule(kind), detail));
    }
    answer.instead(Problem.of(kind, detail), cause);
  }

  private Exchange exchange(BodyBudget.Body body, BridgeVisit visit, CallReferences references) {
    RemoteObject target =
        handle
            .map(held -> visit.referenced(held.reference()))
            .orElseGet(() -> visit.named(place.object().name()));
    return new Exchange(
        request,
        body,
        body::charge,
        answer,
        publication,
        contract,
        new Caller(
            (method, arguments) -> {
              call.calls(method);
              call.reaches();
              Object result;
              try {
                result = target.call(method, arguments);
                call.ends(CallEnd.RETURNED);
              } catch (CallFailure failure) {
                ends(CallEnd.of(failure));
                if (failure.kind() == CallFailure.Kind.NOT_PERMITTED) {
                  refused(method);
                }
                throw failure;
              } finally {
                call.isAnswered();
              }
              // The arguments are garbage now; a slow reader of the result does not hold them.
              body.close();
              return result;
            },
            references,
            permission()),
        () -> URI.create(base()),
        () -> URI.create(address()),
        place.rest(),
        settings,
        operation -> call.isOf(operation.name()));
  }

  private void refused(Method method) {
    String what = "service " + place.object().path() + " " + method.getName();
    desk.bridge()
        .onRefused(principal, request.getRemoteAddr() + ":" + request.getRemotePort(), what);
  }

  CallPermission permission() {
    return Services.permission(place.object());
  }

  /** Tells what became of a call. */
  void count() {
    desk.meters()
        .serviceCall(
            place.object().path(),
            contract.name(),
            call.operation(),
            answer.status(),
            call.nanos());
  }
}
