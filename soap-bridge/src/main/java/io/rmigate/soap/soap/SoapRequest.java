package io.rmigate.soap.soap;

import io.rmigate.soap.http.BodyRoom;
import java.io.InputStream;
import java.net.URI;
import java.util.function.Supplier;

/**
 * A call as it came over HTTP.
 *
 * @param address of the called object as clients reach it: a published path, or a handle
 * @param contentType as sent; empty if there was none
 * @param accept as sent; empty if there was none
 * @param soapAction the header of that name as sent; empty if there was none
 * @param body read at most once, not closed
 * @param room for what becomes of the body
 */
public record SoapRequest(
    Supplier<URI> address,
    String contentType,
    String accept,
    String soapAction,
    InputStream body,
    BodyRoom room) {

  /** One for which there is room, whatever it becomes. */
  public SoapRequest(
      Supplier<URI> address,
      String contentType,
      String accept,
      String soapAction,
      InputStream body) {
    this(address, contentType, accept, soapAction, body, BodyRoom.UNLIMITED);
  }
}
