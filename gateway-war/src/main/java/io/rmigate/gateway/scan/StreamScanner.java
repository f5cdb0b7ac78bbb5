package io.rmigate.gateway.scan;

import io.rmigate.gateway.scan.shape.Shapes;
import io.rmigate.protocol.jrmp.GrowingReturn;
import io.rmigate.protocol.jrmp.MessageEnd;
import io.rmigate.protocol.jrmp.MessageGrammar;

/**
 * Reads JRMP messages as far as their bytes tell what stands in them. It loads no class, makes no
 * object of a message, never throws for any input, and takes time and memory in proportion to the
 * length of the message. Immutable; any thread, any number at once.
 */
public final class StreamScanner {
  private final Shapes shapes;
  private final ScanLimits limits;

  /** Explains classes by these shapes. */
  public StreamScanner(Shapes shapes, ScanLimits limits) {
    this.shapes = shapes;
    this.limits = limits;
  }

  /** Scans the request (Call, Ping or DgcAck) that begins at {@code off}. */
  public ScanResult request(byte[] buf, int off, int len) {
    ScanNotes notes = new ScanNotes(limits);
    Watch watch = new Watch(shapes, notes, 0, 0);
    watch.in(buf, off + len);
    MessageEnd end = MessageGrammar.endOfRequest(buf, off, len, watch);
    return notes.result(end, len);
  }

  /** Scans the reply (Return or PingAck) that begins at {@code off}. */
  public ScanResult reply(byte[] buf, int off, int len) {
    ScanNotes notes = new ScanNotes(limits);
    Watch watch = new Watch(shapes, notes, 0, 0);
    watch.in(buf, off + len);
    MessageEnd end = MessageGrammar.endOfReply(buf, off, len, watch);
    return notes.result(end, len);
  }

  /** Scans a reply that comes in pieces. */
  public GrowingScan growingReply() {
    return new GrowingScan();
  }

  /** One reply that comes in pieces. Confined to one thread at a time. */
  public final class GrowingScan {
    private final ScanNotes notes = new ScanNotes(limits);
    private final Watch watch = new Watch(shapes, notes, 0, 0);
    private final GrowingReturn message = new GrowingReturn(watch);

    private GrowingScan() {}

    /**
     * Scans what has come since the last time. What collections claim to hold is compared with what
     * may come in all.
     *
     * @param buf holds what it held before, and perhaps more; not necessarily the same array
     * @param length of what has come so far, which begins at index 0
     * @param longest the length beyond which the reply would be refused
     * @return all that was seen so far
     */
    public ScanResult more(byte[] buf, int length, int longest) {
      watch.in(buf, longest);
      MessageEnd end = message.end(buf, length);
      return notes.result(end, length);
    }

    /** What stands before this index has been judged: no later result says more about it. */
    public int understood() {
      return message.understood();
    }
  }
}
