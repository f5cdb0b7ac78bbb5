package io.rmigate.client.socket;

/** What the client is writing to a conversation. Confined to the thread that writes. */
sealed interface WrittenMessage permits WrittenPreamble, WrittenCall, WrittenMessage.Fixed {

  /** The states without fields of their own. */
  enum Fixed implements WrittenMessage {
    /** Between messages: the next byte is the code of one. */
    NONE,

    /** A DgcAck, whose length is known. */
    DGC_ACK
  }
}
