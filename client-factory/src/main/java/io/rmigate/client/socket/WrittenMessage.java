package io.rmigate.client.socket;

/** The message that the client writes to a conversation. Confined to the thread that writes. */
sealed interface WrittenMessage permits WrittenPreamble, WrittenCall, WrittenMessage.Fixed {

  /** The states without fields of their own. */
  enum Fixed implements WrittenMessage {
    /** Between messages: the next byte is the code of one. */
    NONE,

    /** A DgcAck, whose length is known. */
    DGC_ACK
  }
}
