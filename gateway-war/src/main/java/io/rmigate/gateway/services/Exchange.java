package io.rmigate.gateway.services;

import io.rmigate.soap.call.Caller;
import io.rmigate.soap.http.BodyRoom;
import io.rmigate.soap.http.HttpReply;
import io.rmigate.soap.publish.Contract;
import io.rmigate.soap.publish.Operation;
import io.rmigate.soap.publish.Publication;
import jakarta.servlet.http.HttpServletRequest;
import java.io.InputStream;
import java.net.URI;
import java.util.Collections;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A request that has been let in, with what it is about as its principal sees it. Of one thread.
 *
 * @param request for its headers; the body is {@code body}
 * @param body counted; not to be closed
 * @param room for what becomes of it
 * @param reply begun at most once
 * @param publication of which the object is
 * @param contract of the object: the published one, or that of a handle
 * @param caller calls it
 * @param base how its client reaches the published object, without a slash at its end
 * @param address the same of the object itself: equal, or the {@code href} of its handle
 * @param operation as the address ends; empty: with the object
 * @param settings bounds
 * @param called is to be told which operation it turns out to be, before it is called
 */
public record Exchange(
    HttpServletRequest request,
    InputStream body,
    BodyRoom room,
    HttpReply reply,
    Publication publication,
    Contract contract,
    Caller caller,
    Supplier<URI> base,
    Supplier<URI> address,
    String operation,
    ServiceSettings settings,
    Consumer<Operation> called) {

  /** This exchange with another place for the answer. */
  Exchange to(HttpReply other) {
    return new Exchange(
        request,
        body,
        room,
        other,
        publication,
        contract,
        caller,
        base,
        address,
        operation,
        settings,
        called);
  }

  /** A header, or nothing; one that was sent several times as one (RFC 9110, 5.3). */
  public String header(String name) {
    return String.join(", ", Collections.list(request.getHeaders(name)));
  }
}
