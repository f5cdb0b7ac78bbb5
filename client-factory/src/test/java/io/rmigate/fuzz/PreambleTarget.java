package io.rmigate.fuzz;

import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.jrmp.ClientPreamble;
import io.rmigate.protocol.jrmp.GrowingReturn;
import io.rmigate.protocol.jrmp.MessageEnd;
import io.rmigate.protocol.jrmp.MessageGrammar;
import io.rmigate.protocol.jrmp.message.CallHeader;
import io.rmigate.protocol.jrmp.message.GrowingDgcCall;
import io.rmigate.protocol.jrmp.message.LiveReferenceScan;
import io.rmigate.protocol.jrmp.message.RegistryCall;
import java.util.Arrays;

/** What a client of JRMP says first on a connection, and the message behind that. */
public final class PreambleTarget {

  /** Takes all of it, or says in words that it is none. */
  public static void fuzzerTestOneInput(byte[] input) {
    ClientPreamble preamble = new ClientPreamble();
    int at = 0;
    try {
      while (at < input.length && !preamble.asksForOther() && !preamble.isOver()) {
        preamble.take(input[at++]);
      }
    } catch (ProtocolViolationException none) {
      at = 0; // then it may be a message
    }
    message(Arrays.copyOfRange(input, at, input.length));
  }

  private static void message(byte[] message) {
    int length = message.length;
    expectWithin(MessageGrammar.endOfRequest(message, 0, length), length);
    expectWithin(MessageGrammar.endOfReply(message, 0, length), length);
    expectWithin(new GrowingReturn().end(message, length), length);
    MessageGrammar.spellsAnotherCall(message, 0, length);
    LiveReferenceScan.scan(message, 0, length);
    CallHeader.decode(message, 0, length);
    try {
      RegistryCall.decode(message, 0, length);
    } catch (ProtocolViolationException none) {
      // said in words
    }
    try {
      new GrowingDgcCall().whole(message, length);
    } catch (ProtocolViolationException none) {
      // said in words
    }
  }

  private static void expectWithin(MessageEnd end, int length) {
    if (end instanceof MessageEnd.Complete complete
        && (complete.end() <= 0 || complete.end() > length)) {
      throw new IllegalStateException("ends at " + complete.end());
    }
  }

  private PreambleTarget() {}
}
