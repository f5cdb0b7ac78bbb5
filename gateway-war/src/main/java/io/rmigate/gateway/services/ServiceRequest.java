package io.rmigate.gateway.services;

import io.rmigate.soap.call.Caller;
import io.rmigate.soap.http.HttpReply;
import io.rmigate.soap.json.JsonLimits;
import io.rmigate.soap.publish.Operation;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.function.Consumer;

/**
 * An admitted request for an object, as a front gets it. Confined to one thread.
 *
 * @param http for its headers; the body is {@code body}
 * @param body counted; not to be closed
 * @param reply begun at most once
 * @param caller calls the object
 * @param limits of the request and its result
 * @param called receives the operation before it is called
 */
record ServiceRequest(
    HttpServletRequest http,
    BodyBudget.Body body,
    HttpReply reply,
    ServedObject object,
    Caller caller,
    JsonLimits limits,
    Consumer<Operation> called) {

  /** This request with another place for the answer. */
  ServiceRequest to(HttpReply other) {
    return new ServiceRequest(http, body, other, object, caller, limits, called);
  }

  /** A header, or nothing; one that was sent several times as one (RFC 9110, 5.3). */
  String header(String name) {
    return String.join(", ", Collections.list(http.getHeaders(name)));
  }
}
