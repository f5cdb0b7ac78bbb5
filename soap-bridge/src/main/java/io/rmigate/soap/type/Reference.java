package io.rmigate.soap.type;

/**
 * A remote object: it stays where it is, and what crosses is a handle by which it can be called.
 *
 * @param javaType a remote interface
 */
public record Reference(Class<?> javaType, String label) implements Shape {}
