package io.rmigate.soap.soap;

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
 */
public record SoapRequest(
    Supplier<URI> address,
    String contentType,
    String accept,
    String soapAction,
    InputStream body) {}
