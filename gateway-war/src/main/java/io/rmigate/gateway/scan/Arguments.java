package io.rmigate.gateway.scan;

/**
 * What a call of one method writes behind its header. Its method runs at the earliest once a server
 * has read all of that, in whatever order it stands.
 *
 * @param objects as many of the arguments
 * @param primitiveBytes that the others take together, in blocks
 */
public record Arguments(int objects, int primitiveBytes) {}
