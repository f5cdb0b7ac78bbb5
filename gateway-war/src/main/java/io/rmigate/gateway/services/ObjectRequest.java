package io.rmigate.gateway.services;

import io.rmigate.gateway.bridge.BridgeVisit;
import io.rmigate.gateway.login.Principal;
import io.rmigate.soap.call.CallFailure;
import io.rmigate.soap.call.Caller;
import io.rmigate.soap.call.RemoteObject;
import io.rmigate.soap.json.Problem;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.SocketTimeoutException;
import java.util.Set;
import java.util.concurrent.TimeoutException;

/**
 * A request for an object, which a front answers during a visit to the server. Confined to the
 * thread of the request.
 */
record ObjectRequest(
    ServiceContext context,
    HttpServletRequest request,
    Answer answer,
    Principal principal,
    ServiceSettings settings,
    ServedObject object,
    CallsInProgress.Call call) {

  /** The part of a front that answers. */
  @FunctionalInterface
  interface Step {
    void with(ServiceRequest request) throws IOException;
  }

  /** Sends the description of the object: a stored one, or one that the front writes. */
  void describe(Front front) throws IOException {
    String query = request.getQueryString() == null ? "" : request.getQueryString();
    String what = front.getClass().getName() + " " + object.operation() + "?" + query;
    Set<String> methods = entry().entry().methods();
    Documents.Key key =
        new Documents.Key(
            object.publication(), methods, object.contract().type(), object.address(), what);
    context
        .services()
        .documents()
        .send(key, answer, reply -> with(request -> front.describe(request.to(reply))));
  }

  private PublishedObject entry() {
    return object.place().object();
  }

  void with(Step step) throws IOException {
    try (BodyBudget.Body body =
            context
                .services()
                .bodies()
                .charge(
                    request.getInputStream(),
                    principal.name(),
                    settings.bodiesBytes(),
                    settings.limits().bodyBytes(),
                    settings.pace());
        BridgeVisit visit =
            context.bridge().visit(object.publication(), principal, settings.calls().timeout())) {
      CallReferences references =
          new CallReferences(
              context.services(),
              principal,
              entry(),
              object.publication(),
              visit,
              object::base,
              failure -> ends(CallEnd.unheld(failure)));
      answer.ifLost(references::withdraw);
      boolean told = false;
      try {
        step.with(request(body, visit, references));
        told = answer.isWhatWasAskedFor();
      } finally {
        references.end(told);
        call.hasRead(body.bytesRead());
      }
    } catch (BodyBudget.Exhausted e) {
      refuse(Problem.Kind.BUSY, "The requests in progress are too large together.", e);
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
      call.ends(CallEnd.refused(ServiceRefusedException.rule(kind), detail));
    }
    answer.instead(Problem.of(kind, detail), cause);
  }

  private ServiceRequest request(
      BodyBudget.Body body, BridgeVisit visit, CallReferences references) {
    RemoteObject target = object.in(visit);
    return new ServiceRequest(
        request,
        body,
        answer,
        object,
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
            object.permission()),
        settings.limits(),
        operation -> call.isOf(operation.name()));
  }

  private void refused(Method method) {
    String what = "service " + entry().path() + " " + method.getName();
    context
        .bridge()
        .onRefused(principal, request.getRemoteAddr() + ":" + request.getRemotePort(), what);
  }

  /** Counts the call by its outcome. */
  void count() {
    context
        .meters()
        .serviceCall(
            entry().path(),
            object.contract().name(),
            call.operation(),
            answer.status(),
            call.nanos());
  }
}
