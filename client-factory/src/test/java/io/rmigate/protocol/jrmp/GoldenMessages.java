package io.rmigate.protocol.jrmp;

/** Messages recorded from a real JDK; {@link RealExchangeTest} compares what this JDK writes. */
public final class GoldenMessages {
  /** {@code Registry.lookup("sample")}, by operation number. */
  public static final String LOOKUP_SAMPLE =
      "50" // Call
          + "aced0005" // stream header
          + "7722" // block of 34
          + "0000000000000000" // objNum 0: the registry
          + "00000000" // unique
          + "0000000000000000" // time
          + "0000" // count
          + "00000002" // operation 2
          + "44154dc9d4e63bdf" // interface hash
          + "740006" // string of 6
          + "73616d706c65"; // "sample"

  /** {@code void v()} of an exported object. */
  static final String V =
      "50" // Call
          + "aced0005" // stream header
          + "7722" // block of 34
          + "3e76621d34b9fc03" // objNum
          + "9f1ee393" // unique
          + "000001a1fbb4c5d8" // time
          + "800b" // count
          + "ffffffff" // operation by hash
          + "9c9e6b1308366dda"; // hash of v()V

  static final String PING = "52";

  static final String DGC_ACK =
      "54" // DgcAck
          + "3402060b" // unique
          + "000001a1fbb5c700" // time
          + "8002"; // count

  /** {@code DGC.dirty}, one ObjID, with the Lease asked for. */
  public static final String DIRTY =
      "50aced00057722" // Call, block of 34
          + "00000000000000020000000000000000000000000000" // ObjID 2: DGC
          + "00000001" // operation 1
          + "f6b6898d8bf28643" // interface hash
          + "757200185b4c6a6176612e726d692e7365727665722e4f626a49443b" // ObjID[]
          + "871300b8d02c647e0200007078" // suid, flags, no fields, null annotation
          + "7000000001" // no superclass, one element
          + "737200156a6176612e726d692e7365727665722e4f626a4944" // ObjID
          + "a75efa128ddce55c0200024a00066f626a4e756d" // J objNum
          + "4c000573706163657400154c6a6176612f726d692f7365727665722f5549443b" // L space
          + "7078" // annotation
          + "70cabd2e0892dddd04" // no superclass; objNum
          + "737200136a6176612e726d692e7365727665722e554944" // UID
          + "0f12700dbf364f12020003530005636f756e744a000474696d65490006756e69717565" // S, J, I
          + "70787080" // annotation, no superclass; count 8001
          + "01000001a1fbb5c7003402060b" // time, unique
          + "77088000000000000000" // sequence: Long.MIN_VALUE
          + "737200126a6176612e726d692e6467632e4c65617365" // Lease
          + "b0b5e2660c4adc340200024a000576616c7565" // J value
          + "4c0004766d69647400134c6a6176612f726d692f6467632f564d49443b" // L vmid
          + "70787000000000000927c0" // annotation; 600 000 ms
          + "737200116a6176612e726d692e6467632e564d4944" // VMID
          + "f8865bafa4a56db60200025b0004616464727400025b42" // [ addr
          + "4c000375696471007e0003" // L uid, its type a reference to a string
          + "707870" // annotation, no superclass
          + "757200025b42acf317f8060854e002000070787000000008" // byte[8]
          + "72ccb22fe1eb7bc5" // addr
          + "7371007e0005" // UID again: its class by reference
          + "8003000001a1fbb5c7003402060b"; // count, time, unique

  private GoldenMessages() {}
}
