/**
 * HTTP/1.1 as far as a client of one gateway or HTTP proxy needs it (RFC 9110, RFC 9112): heads,
 * bodies, challenges, and {@link io.rmigate.client.transport.http.HttpConnection}, which carries
 * one request after the other. Of the transports it imports {@code net} only.
 */
package io.rmigate.client.transport.http;
