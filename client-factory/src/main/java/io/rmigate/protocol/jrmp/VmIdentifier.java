package io.rmigate.protocol.jrmp;

/**
 * A VMID ({@link java.rmi.dgc.VMID}): which client JVM holds a lease.
 *
 * @param address the 8 bytes of its field {@code addr}
 * @param unique part of its UID
 * @param time part of its UID, milliseconds
 * @param count part of its UID
 */
public record VmIdentifier(long address, int unique, long time, short count) {}
