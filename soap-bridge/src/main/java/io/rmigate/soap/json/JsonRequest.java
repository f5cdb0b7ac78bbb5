package io.rmigate.soap.json;

import java.io.InputStream;

/**
 * A call as it came over HTTP.
 *
 * @param operation the last part of the path
 * @param contentType as sent; empty if there was none
 * @param accept as sent; empty if there was none
 * @param body read at most once, not closed
 */
public record JsonRequest(String operation, String contentType, String accept, InputStream body) {}
