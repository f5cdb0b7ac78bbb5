package io.rmigate.protocol.jrmp;

import io.rmigate.protocol.jrmp.MessageEnd.Complete;

/**
 * A Call or a Return that comes in pieces. What has come before is looked at no more, so that a
 * sender that writes a long one byte by byte costs no more than one that writes it whole. For one
 * message; not thread-safe.
 */
public abstract sealed class GrowingMessage permits GrowingCall, GrowingReturn {
  private final int code;
  private final int headerBytes;
  private final StreamObserver observer;

  /** Null until the header is whole. */
  private StreamParser contents;

  /** The parser of the message before; null without one, and while this message is parsed. */
  private StreamParser former;

  /** Index at which the contents begin, until it is known that they may begin so; then 0. */
  private int unknown;

  /**
   * @param code that it begins with
   * @param headerBytes of the block with its header, at least
   * @param observer may be null
   */
  GrowingMessage(int code, int headerBytes, StreamObserver observer) {
    this.code = code;
    this.headerBytes = headerBytes;
    this.observer = observer;
  }

  /**
   * What can be said of the message so far.
   *
   * @param buf holds what it held before, as far as that was not forgotten, and perhaps more; not
   *     necessarily the same array
   * @param length of what is there, from index 0 on
   */
  public final MessageEnd end(byte[] buf, int length) {
    if (contents == null) {
      if (length == 0 || buf[0] != code) {
        return endOfAnother(buf, length);
      }
      MessageEnd header = MessageGrammar.endOfHeader(buf, 0, length, headerBytes, observer);
      if (!(header instanceof Complete block)) {
        return header;
      }
      if (former == null) {
        contents = StreamParser.at(block.end(), observer);
      } else {
        contents = former;
        contents.beginAgain(block.end(), observer);
        former = null;
      }
      unknown = block.end();
    }
    if (unknown > 0 && unknown < length) {
      if (MessageGrammar.holdsMorePrimitives(buf, 0, unknown)) {
        return MessageGrammar.unexpected("an object, or the end", buf[unknown], unknown);
      }
      unknown = 0;
    }
    return contents.parse(buf, length);
  }

  /** Whether there was a class in it. */
  public final boolean knowsClasses() {
    return contents != null && contents.knowsClasses();
  }

  /**
   * Another message begins, in the memory of this one, of which nothing was cut out. There was no
   * class in it, so that nothing stays of it.
   */
  public final void restart() {
    if (knowsClasses()) {
      throw new IllegalStateException("there was a class in the message before");
    }
    former = contents;
    if (former != null) {
      former.forgetBytes();
    }
    contents = null;
    unknown = 0;
  }

  /** The result for a message that does not begin with that code. */
  abstract MessageEnd endOfAnother(byte[] buf, int length);

  /** The index up to which the message has been understood; 0 until the header is. */
  public final int understood() {
    return contents == null ? 0 : contents.position();
  }

  /**
   * How many bytes right before {@link #understood} may be cut out. A descriptor may refer back to
   * any string of its stream as the type of a field. To one outside of descriptors a JDK does only
   * where a program has sent the very object that is a constant for the type's name; where that was
   * cut out it is malformed.
   */
  public final int forgettable() {
    return contents == null ? 0 : contents.forgettable();
  }

  /**
   * {@code count} of those bytes have been cut out.
   *
   * @param moved holds what was left, from index 0 on
   */
  public final void forget(int count, byte[] moved) {
    contents.forget(count, moved);
  }

  /**
   * About as many bytes as are taken by what may still be referred to, beside the message's own.
   */
  public final long rememberedBytes() {
    return contents == null ? 0 : contents.rememberedBytes();
  }
}
