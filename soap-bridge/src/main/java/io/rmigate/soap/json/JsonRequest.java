package io.rmigate.soap.json;

import io.rmigate.soap.http.BodyRoom;
import java.io.InputStream;

/**
 * A call as it came over HTTP.
 *
 * @param operation the last part of the path
 * @param contentType as sent; empty if there was none
 * @param accept as sent; empty if there was none
 * @param body read at most once, not closed
 * @param room for what becomes of the body
 */
public record JsonRequest(
    String operation, String contentType, String accept, InputStream body, BodyRoom room) {

  /** A request with unlimited room for the objects made of it. */
  public JsonRequest(String operation, String contentType, String accept, InputStream body) {
    this(operation, contentType, accept, body, BodyRoom.UNLIMITED);
  }
}
