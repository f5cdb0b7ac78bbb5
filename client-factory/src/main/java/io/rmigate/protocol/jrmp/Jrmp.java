package io.rmigate.protocol.jrmp;

/**
 * Constants of the Java Remote Method Protocol (RMI specification, chapter 10, "RMI Wire
 * Protocol"). All numbers are big-endian; {@code UTF} is two length bytes and modified UTF-8.
 *
 * <pre>
 *  client                                                server
 *  4A 52 4D 49  00 02  4B                          ---&gt;                  magic, version, StreamProtocol
 *                                                  &lt;---  4E UTF int32    ProtocolAck: the client, as seen
 *  UTF int32                                       ---&gt;                  EndpointIdentifier of the client
 *
 *  50 AC ED 00 05 77 LL objId op hash args ...     ---&gt;                  Call
 *                                                  &lt;---  51 AC ED 00 05 77 LL kind uid result ...   Return
 *  52                                              ---&gt;                  Ping
 *                                                  &lt;---  53              PingAck
 *  54 uid                                          ---&gt;                  DgcAck (no answer)
 *
 *  Call header block, 34 bytes and the leading primitive arguments:
 *   0       8      12       20  22      26       34
 *   +-------+------+--------+---+-------+--------+- - - -
 *   |objNum |unique|  time  |cnt|  op   |  hash  | primitives
 *   +-------+------+--------+---+-------+--------+- - - -
 *    '------ ObjID, 22 bytes --'
 * </pre>
 *
 * The connection is half duplex and messages carry no length; see {@link MessageGrammar}.
 */
public final class Jrmp {
  /** "JRMI", the first four bytes a client sends. RMI spec section 10.2 */
  public static final int MAGIC = 0x4A524D49;

  /**
   * The protocol version. RMI spec section 10.2 prints {@code 0x00 0x01}; every JDK writes and
   * demands 2.
   */
  public static final int VERSION = 2;

  /** Many messages, one after the other. RMI spec section 10.2 */
  public static final int STREAM_PROTOCOL = 0x4B;

  /** One message, no acknowledgement, then close. RMI spec section 10.2 */
  public static final int SINGLE_OP_PROTOCOL = 0x4C;

  /** Historical: refused since JDK 9. RMI spec section 10.2 */
  public static final int MULTIPLEX_PROTOCOL = 0x4D;

  /** The server speaks the protocol; the client's endpoint follows. RMI spec section 10.2 */
  public static final int PROTOCOL_ACK = 0x4E;

  /** ProtocolNotSupported of RMI spec section 10.2; the JDK calls it ProtocolNack. */
  public static final int PROTOCOL_NOT_SUPPORTED = 0x4F;

  /** A remote invocation; a serialization stream follows. RMI spec section 10.2.1 */
  public static final int CALL = 0x50;

  /** The outcome of a Call (ReturnData); a serialization stream follows. RMI spec section 10.2.2 */
  public static final int RETURN = 0x51;

  /** Asks whether the peer is alive. RMI spec section 10.2.1 */
  public static final int PING = 0x52;

  /** Answers a Ping. RMI spec section 10.2.2 */
  public static final int PING_ACK = 0x53;

  /** The references of the Return with this UID are registered; never answered. Section 10.2.1 */
  public static final int DGC_ACK = 0x54;

  /** First byte of a Return's block: a result (or nothing) follows. RMI spec section 10.2.2 */
  public static final int NORMAL_RETURN = 0x01;

  /** First byte of a Return's block: a Throwable follows. RMI spec section 10.2.2 */
  public static final int EXCEPTIONAL_RETURN = 0x02;

  /** Bytes of a UID in its raw form: unique, time, count. RMI spec section 10.2.3 */
  public static final int UID_BYTES = 14;

  /** Bytes of an ObjID in its raw form: object number and UID. RMI spec section 10.2.3 */
  public static final int OBJ_ID_BYTES = 22;

  /** Bytes of ObjID, operation and hash, with which a Call's block opens. Section 10.2.3 */
  public static final int CALL_HEADER_BYTES = OBJ_ID_BYTES + 4 + 8;

  /** Bytes of kind and UID, with which a Return's block opens. RMI spec section 10.2.3 */
  public static final int RETURN_HEADER_BYTES = 1 + UID_BYTES;

  /** The operation of a Call that names its method by hash (since JDK 1.2). */
  public static final int OPERATION_BY_HASH = -1;

  private Jrmp() {}
}
