package io.rmigate.gateway.scan;

import io.rmigate.gateway.scan.shape.Shapes;
import io.rmigate.protocol.jrmp.GrowingCall;
import io.rmigate.protocol.jrmp.GrowingMessage;
import io.rmigate.protocol.jrmp.GrowingReturn;
import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.jrmp.MessageEnd;
import io.rmigate.protocol.jrmp.MessageGrammar;
import io.rmigate.protocol.jrmp.RequestGrammar;
import io.rmigate.protocol.jrmp.StreamObserver;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Reads JRMP messages as far as their bytes tell what stands in them. It loads no class, makes no
 * object of a message, never throws for any input, and takes time and memory in proportion to the
 * length of the message. Immutable; any thread, any number at once.
 */
public final class StreamScanner {
  private static final byte[] NO_BYTES = {};

  private final KnownClasses classes;
  private final ScanLimits limits;
  private final ScanLimits ofLongReplies;
  private final boolean dropsCodebases;

  /** Explains classes by these shapes. */
  public StreamScanner(Shapes shapes, ScanLimits limits) {
    this(shapes, limits, false, name -> false);
  }

  /**
   * Explains classes by these shapes.
   *
   * @param dropsCodebases codebases in annotations of classes are no findings, but told as what
   *     does not go on
   * @param asks whether an object that is hashed or compared may ask others that it holds, by the
   *     name of its class; is not asked about collections of the JDK and arrays, which do. Any
   *     thread
   */
  public StreamScanner(
      Shapes shapes, ScanLimits limits, boolean dropsCodebases, Predicate<String> asks) {
    this.classes = new KnownClasses(shapes, asks);
    this.limits = limits;
    this.ofLongReplies = limits.ofLongReplies();
    this.dropsCodebases = dropsCodebases;
  }

  /** Scans the request (Call, Ping or DgcAck) that begins at {@code off}. */
  public ScanResult request(byte[] buf, int off, int len) {
    return requests().scan(buf, off, len);
  }

  /** Scans requests of one caller, one after the other. */
  public RequestScans requests() {
    return new RequestScans();
  }

  /** Scans the reply (Return or PingAck) that begins at {@code off}. */
  public ScanResult reply(byte[] buf, int off, int len) {
    ScanNotes notes = new ScanNotes(limits, dropsCodebases);
    StreamInspector inspector = new StreamInspector(classes, notes, 0);
    inspector.in(buf, off + len);
    MessageEnd end = MessageGrammar.endOfReply(buf, off, len, inspector);
    return notes.result(end, len);
  }

  /**
   * Where in a request something stands, for people, such as {@code argument 1:
   * Order.lines[3].price}; empty where it is not found. Scans the request once more.
   */
  public String placeInRequest(byte[] buf, int len, PlaceFinder.Sought sought) {
    return place(limits, buf, len, sought, at -> MessageGrammar.endOfRequest(buf, 0, len, at));
  }

  /** Where in a reply something stands, for people. */
  public String placeInReply(byte[] buf, int len, PlaceFinder.Sought sought) {
    return place(limits, buf, len, sought, at -> MessageGrammar.endOfReply(buf, 0, len, at));
  }

  private String place(
      ScanLimits its, byte[] buf, int len, PlaceFinder.Sought sought, PlaceFinder.Scan scan) {
    ScanNotes notes = new ScanNotes(its, dropsCodebases);
    StreamInspector inspector = new StreamInspector(classes, notes, 0);
    inspector.in(buf, len);
    return len == 0 ? "" : new PlaceFinder(inspector, notes, buf, len, sought).in(scan);
  }

  /** Scans a reply that comes in pieces and is kept as a whole. */
  public GrowingScan growingReply() {
    return new GrowingScan(limits, GrowingReturn::new);
  }

  /**
   * Scans a reply that may be too long to be kept: arrays and long texts are told when they begin,
   * and there may be as many objects as the grammar takes, and more references.
   */
  public GrowingScan longReply() {
    return longMessage(ofLongReplies, GrowingReturn::new);
  }

  /** Scans long replies to one caller, one after the other. */
  public ReplyScans longReplies() {
    return new ReplyScans();
  }

  /** Scans a Call that comes in pieces and may be too long to be kept: see {@link #longReply}. */
  public GrowingScan longCall() {
    return longMessage(limits.ofLongCalls(), GrowingCall::new);
  }

  /**
   * Scans a Call that comes in pieces, of a method whose arguments are known: what stands behind
   * them is a finding.
   *
   * @param bounded only arrays of primitives and strings may make it longer than other calls
   */
  public GrowingScan longCall(Arguments arguments, boolean bounded) {
    GrowingScan scan = longMessage(bounded ? limits : limits.ofLongCalls(), GrowingCall::new);
    scan.inspector.values().expect(arguments, bounded);
    return scan;
  }

  private GrowingScan longMessage(ScanLimits its, Function<StreamObserver, GrowingMessage> kind) {
    GrowingScan scan = new GrowingScan(its, kind);
    scan.inspector.takePieces();
    scan.inPieces = true;
    return scan;
  }

  /**
   * Requests of one caller, one after the other: small ones without a class, which most calls are,
   * in the same memory. Nothing of one message is told of another. Confined to one thread at a
   * time.
   */
  public final class RequestScans {
    private final RequestGrammar grammar = new RequestGrammar();

    // Of the last request; written to no more often than needed, for what stays becomes old, and a
    // collector wants to know of each younger object that is put into an older one.
    private ScanNotes notes;
    private StreamInspector inspector;

    /** Whether the notes and the inspector are blank, so that the next request reuses them. */
    private boolean blank;

    private RequestScans() {}

    /** Whether these are scans by that scanner. */
    public boolean areBy(StreamScanner scanner) {
      return scanner == StreamScanner.this;
    }

    /** Scans the request (Call, Ping or DgcAck) that begins at {@code off}. */
    public ScanResult scan(byte[] buf, int off, int len) {
      if (blank) {
        notes.restart();
        inspector.restart();
      } else {
        notes = new ScanNotes(limits, dropsCodebases);
        inspector = new StreamInspector(classes, notes, 0);
      }
      blank = false;
      inspector.in(buf, off + len);
      MessageEnd end = grammar.end(buf, off, len, inspector);
      ScanResult result = notes.result(end, len);
      if (grammar.isBlank() && notes.isBlank()) {
        blank = true;
      } else {
        inspector = null;
        notes = null;
      }
      return result;
    }
  }

  /**
   * Replies to one caller, one after the other, as {@link #longReply} scans them: small ones
   * without a class, which most are, in the same memory. Nothing of one message is told of another.
   * Confined to one thread at a time.
   */
  public final class ReplyScans {
    /** The scan of an earlier reply, cleared for the next one; null when there is none. */
    private GrowingScan blank;

    private ReplyScans() {}

    /** Whether these are scans by that scanner. */
    public boolean areBy(StreamScanner scanner) {
      return scanner == StreamScanner.this;
    }

    /** Scans the next reply; the one before is over. */
    public GrowingScan next() {
      GrowingScan its = blank;
      blank = null;
      return its == null ? longReply() : its;
    }

    /**
     * A reply is over, which came in one piece and was short.
     *
     * @param its the scan of it, which has no other user any more
     */
    public void onOver(GrowingScan its) {
      if (its.isBlank()) {
        its.restart();
        blank = its;
      }
    }
  }

  /** One message that comes in pieces. Confined to one thread at a time. */
  public final class GrowingScan {
    private final ScanNotes notes;
    private final StreamInspector inspector;
    private final GrowingMessage message;

    /** Bytes that have been cut out. */
    private long forgotten;

    /** How much of what is there is believed. */
    private int believed;

    /** How much is there. */
    private int there;

    private final ScanLimits its;
    private final Function<StreamObserver, GrowingMessage> kind;

    /** Whether the message may be too long to be kept. */
    private boolean inPieces;

    private GrowingScan(ScanLimits its, Function<StreamObserver, GrowingMessage> kind) {
      this.its = its;
      this.kind = kind;
      notes = new ScanNotes(its, dropsCodebases);
      inspector = new StreamInspector(classes, notes, 0);
      notes.placesBy(inspector);
      message = kind.apply(inspector);
    }

    /** Whether what this holds is of no message. */
    private boolean isBlank() {
      return forgotten == 0 && notes.isBlank() && !message.knowsClasses();
    }

    /** Another message begins; {@link #isBlank}. */
    private void restart() {
      notes.restart();
      inspector.restart();
      inspector.in(NO_BYTES, 0);
      message.restart();
      believed = 0;
      there = 0;
    }

    /**
     * Where something stands that the latest piece has told, for people; empty where it is not
     * found. Scans the message once more; where parts have been cut out of it, says only which
     * classes it stands in.
     *
     * @param buf the bytes of the last call of {@link #more}
     * @param length as in that call
     * @param longest as in that call
     */
    public String place(byte[] buf, int length, int longest, PlaceFinder.Sought sought) {
      if (length == 0) {
        return "";
      }
      if (notes.isCut()) {
        return notes.latePlace(sought.news(), buf[0] == Jrmp.RETURN);
      }
      ScanNotes again = new ScanNotes(its, dropsCodebases);
      StreamInspector inspectorAgain = new StreamInspector(classes, again, 0);
      inspectorAgain.in(buf, longest);
      if (inPieces) {
        inspectorAgain.takePieces();
      }
      return new PlaceFinder(inspectorAgain, again, buf, length, sought)
          .in(observer -> kind.apply(observer).end(buf, length));
    }

    /**
     * Scans what has come since the last time. What collections claim to hold is compared with what
     * may come in all; of a message that may be too long to be kept, with what has come.
     *
     * @param buf holds what it held before, as far as that was not forgotten, and perhaps more; not
     *     necessarily the same array
     * @param length of what is there, from index 0 on
     * @param longest the length beyond which the message would be refused
     * @return all that was seen so far
     */
    public ScanResult more(byte[] buf, int length, int longest) {
      inspector.in(buf, longest);
      MessageEnd end = message.end(buf, length);
      if (end instanceof MessageEnd.Complete || end instanceof MessageEnd.Aborted) {
        inspector.over(length);
      }
      there = length;
      believed = inspector.believed(length);
      return inspector.result(end, forgotten + length);
    }

    /** The index before which all bytes have been scanned: no later result says more about them. */
    public int understood() {
      return Math.min(message.understood(), believed);
    }

    /**
     * Bytes that the arrays of primitives and strings claim which are longer than {@link
     * LongValues#SHORT_BYTES}; the next one counts before it is believed.
     */
    public long claimed() {
      return inspector.values() == null ? 0 : inspector.values().claimed();
    }

    /** Whether it is known which arguments the method has. */
    public boolean knowsArguments() {
      return inspector.values() != null && inspector.values().knowsArguments();
    }

    /** Whether all arguments have begun that the method has, as far as it is known. */
    public boolean hasAllArguments() {
      return inspector.values() != null
          && inspector.values().hasAllArguments(inspector.topObjects());
    }

    /** Objects of the message itself so far, such as arguments or a result. */
    public int topObjects() {
      return inspector.topObjects();
    }

    /**
     * About as many bytes as the scan takes to know what it may need and what it has told, beside
     * the message's own.
     */
    public long rememberedBytes() {
      return message.rememberedBytes() + inspector.rememberedBytes() + notes.rememberedBytes();
    }

    /** Codebases that are dropped so far; later ones are added to it. */
    public DroppedCodebases dropped() {
      return notes.dropped();
    }

    /** How many bytes right before {@link #understood} are needed no more, and may be cut out. */
    public int forgettable() {
      return believed < there ? 0 : message.forgettable();
    }

    /**
     * Bytes were cut out that {@link #forgettable} has told.
     *
     * @param moved holds what was left, from index 0 on
     */
    public void forget(int count, byte[] moved) {
      message.forget(count, moved);
      notes.forget(count);
      forgotten += count;
      there -= count;
      believed -= count;
    }
  }
}
