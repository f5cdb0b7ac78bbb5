package io.rmigate.protocol.jrmp;

/**
 * A VMID ({@link java.rmi.dgc.VMID}): which client JVM holds a lease.
 *
 * @param address the 8 bytes of its field {@code addr}
 * @param unique part of its UID
 * @param time part of its UID, milliseconds
 * @param count part of its UID
 */
public record VmIdentifier(long address, int unique, long time, short count) {
  // Written out: equals and hashCode of records load java.lang.invoke at the start of a program.
  @Override
  public boolean equals(Object other) {
    return other instanceof VmIdentifier id
        && address == id.address
        && unique == id.unique
        && time == id.time
        && count == id.count;
  }

  @Override
  public int hashCode() {
    return 31 * (31 * (31 * Long.hashCode(address) + unique) + Long.hashCode(time)) + count;
  }
}
