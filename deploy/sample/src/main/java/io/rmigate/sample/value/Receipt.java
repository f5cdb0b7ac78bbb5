package io.rmigate.sample.value;

import java.io.Serializable;

/**
 * What the server has seen of bytes that were sent to it.
 *
 * @param sha256 in hexadecimal
 */
public record Receipt(long length, String sha256) implements Serializable {}
