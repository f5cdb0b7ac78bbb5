package io.rmigate.gateway.scan;

/**
 * The arguments that a call of one method writes behind its header, in any order. A server runs the
 * method when it has read all of them.
 *
 * @param objects the number of arguments that are objects
 * @param primitiveBytes the bytes of all other arguments, in blocks
 */
public record Arguments(int objects, int primitiveBytes) {}
