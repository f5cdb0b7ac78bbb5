package io.rmigate.protocol.jrmp;

/**
 * Terminal symbols of the Java Object Serialization stream protocol (specification, section 6.4.2),
 * as in {@link java.io.ObjectStreamConstants}.
 */
public final class StreamTokens {
  /** Magic {@code AC ED} and version {@code 00 05}. */
  public static final int STREAM_HEADER = 0xACED0005;

  public static final int STREAM_HEADER_BYTES = 4;

  /** The smallest type code; see {@link #isTypeCode}. */
  static final int TC_BASE = 0x70;

  public static final int TC_NULL = 0x70;
  public static final int TC_REFERENCE = 0x71;
  public static final int TC_CLASSDESC = 0x72;
  public static final int TC_OBJECT = 0x73;
  public static final int TC_STRING = 0x74;
  public static final int TC_ARRAY = 0x75;
  public static final int TC_CLASS = 0x76;
  public static final int TC_BLOCKDATA = 0x77;
  public static final int TC_ENDBLOCKDATA = 0x78;
  static final int TC_RESET = 0x79;
  public static final int TC_BLOCKDATALONG = 0x7A;
  static final int TC_EXCEPTION = 0x7B;
  public static final int TC_LONGSTRING = 0x7C;
  static final int TC_PROXYCLASSDESC = 0x7D;
  static final int TC_ENUM = 0x7E;

  /** The largest type code. */
  static final int TC_MAX = 0x7E;

  /** The first handle of a stream. */
  public static final int BASE_WIRE_HANDLE = 0x7E0000;

  /** The class wrote its data itself: they end with {@link #TC_ENDBLOCKDATA}. */
  static final int SC_WRITE_METHOD = 0x01;

  public static final int SC_SERIALIZABLE = 0x02;
  static final int SC_EXTERNALIZABLE = 0x04;

  /** External data are framed in blocks and end with {@link #TC_ENDBLOCKDATA} (protocol 2). */
  static final int SC_BLOCK_DATA = 0x08;

  static final int SC_ENUM = 0x10;

  /** Whether a byte can open a content of a stream; no message code of JRMP can. */
  static boolean isTypeCode(byte b) {
    return b >= TC_BASE && b <= TC_MAX;
  }

  private StreamTokens() {}
}
