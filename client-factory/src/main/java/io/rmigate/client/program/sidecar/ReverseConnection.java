package io.rmigate.client.program.sidecar;

import io.rmigate.client.link.LinkStream;
import io.rmigate.client.stats.UsageCounters;
import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.message.CallHeader;
import io.rmigate.protocol.jrmp.message.ExceptionalReturn;
import io.rmigate.protocol.jrmp.message.RegistryOperation;
import io.rmigate.protocol.tunnel.Tunnel;
import java.io.IOException;
import java.net.Socket;
import java.rmi.AccessException;
import java.rmi.ConnectException;
import java.rmi.RemoteException;
import java.rmi.ServerException;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * One connection of an inner JVM to a JVM here. The stream carries Calls and DgcAcks, one after the
 * other; a Call has no length, but the gateway says where the next message begins. The rest of a
 * Call that the JVM here has answered already is thrown away, because the gateway has not checked
 * it as a message. The stream stays while the JVM here is restarted.
 *
 * <p>A registry here lets any connection from this machine bind names, and this connection comes
 * from this machine. So calls that would change the registry are answered here, as the registry
 * would have answered the inner JVM.
 *
 * <p>Confined to the thread that runs it, except that {@link LocalCall}s send Returns.
 */
final class ReverseConnection implements Runnable {
  private static final int PIECE_BYTES = 16 * 1024;

  /** Code, stream header, the longer of the two beginnings of a block. */
  private static final int MOST_HEAD_BYTES = 1 + 4 + 5 + Jrmp.CALL_HEADER_BYTES;

  private static final int LEAST_HEAD_BYTES = 1 + 4 + 2 + Jrmp.CALL_HEADER_BYTES;
  private static final int ACK_BYTES = 1 + Jrmp.UID_BYTES;

  private final LocalJvm jvm;
  private final LinkStream stream;
  private final String peer;
  private final UsageCounters account;
  private final Executor threads;
  private final Duration longestRest;

  /** The beginning of a message, until its kind is known. */
  private final byte[] head = new byte[MOST_HEAD_BYTES];

  private int headBytes;

  /**
   * The Call that the JVM here is given; null while its head is not complete, and for other
   * messages.
   */
  private LocalCall call;

  /** Whether the message was passed on and is no Call. */
  private boolean passedOn;

  private boolean over;

  /**
   * @param peer the inner JVM, for messages
   * @param threads that carry Returns
   * @param longestRest after which inner JVMs give a connection up that they do not use
   */
  ReverseConnection(
      LocalJvm jvm,
      LinkStream stream,
      String peer,
      UsageCounters account,
      Executor threads,
      Duration longestRest) {
    this.jvm = jvm;
    this.stream = stream;
    this.peer = peer;
    this.account = account;
    this.threads = threads;
    this.longestRest = longestRest;
  }

  /** Carries messages until the inner JVM, or something on the way, ends the connection. */
  @Override
  public void run() {
    byte[] piece = new byte[PIECE_BYTES];
    try {
      int count;
      do {
        while (!over && (count = stream.read(piece, 0, piece.length, 0)) >= 0) {
          take(piece, count);
        }
      } while (!over && goesOn());
    } catch (IOException ended) {
      System.getLogger(ReverseConnection.class.getName())
          .log(System.Logger.Level.DEBUG, "{0} for {1}: {2}", peer, jvm, ended);
    } finally {
      stream.close();
      endCall();
    }
  }

  private void take(byte[] bytes, int count) throws IOException {
    account.plainBytes(count);
    int at = 0;
    while (at < count && !over && !passedOn) {
      if (call != null) {
        call.add(bytes, at, count - at);
        return;
      }
      head[headBytes++] = bytes[at++];
      if (headIsWhole()) {
        begin(headBytes);
      }
    }
  }

  /** Whether the stream goes on with another message, behind the Return of the one before. */
  private boolean goesOn() {
    if (!stream.isRequestOver()) {
      return false;
    }
    stream.skipRequest();
    if (call != null) {
      call.awaitSent();
      endCall();
    }
    headBytes = 0;
    passedOn = false;
    return true;
  }

  private boolean headIsWhole() throws ProtocolViolationException {
    return switch (head[0]) {
      case Jrmp.DGC_ACK -> headBytes == ACK_BYTES;
      case Jrmp.CALL ->
          headBytes == MOST_HEAD_BYTES
              || (headBytes >= LEAST_HEAD_BYTES
                  && CallHeader.decode(head, 0, headBytes).isPresent());
      default ->
          throw new ProtocolViolationException(
              "expected a Call or DgcAck, got 0x" + Integer.toHexString(head[0] & 0xFF));
    };
  }

  private void begin(int length) throws IOException {
    if (head[0] == Jrmp.DGC_ACK) {
      acknowledge(length);
      passedOn = true;
      return;
    }
    CallHeader header = CallHeader.decode(head, 0, length).orElse(null);
    if (header == null) {
      throw new ProtocolViolationException("expected a Call that names its object");
    }
    if (changesRegistry(header)) {
      warn("refused: {0} tried to bind or unbind a name in the registry at {1}");
      refuse(
          new ServerException(
              "RemoteException occurred in server thread",
              new AccessException("Registry disallowed; origin " + peer + " is non-local host")));
      return;
    }
    Socket socket;
    try {
      socket = jvm.begin(head, 0, length);
    } catch (IOException nobodyThere) {
      warn("a call of {0} was refused: no program listens at {1}");
      refuse(
          new ConnectException(
              "Connection refused to host: " + jvm.at().host(),
              new java.net.ConnectException(
                  "the JVM behind the rmigate sidecar does not listen: "
                      + nobodyThere.getMessage())));
      return;
    }
    call = new LocalCall(jvm, socket, stream, account, longestRest);
    try {
      threads.execute(call);
    } catch (RejectedExecutionException | OutOfMemoryError noThread) {
      throw new IOException("no thread for a Return", noThread);
    }
  }

  private static boolean changesRegistry(CallHeader header) {
    return header.object().equals(ObjIdentifier.REGISTRY)
        && RegistryOperation.of(header.operation(), header.hash())
            .map(RegistryOperation::changesBindings)
            .orElse(false);
  }

  /**
   * Passes a DgcAck on. A JVM that does not get it keeps the returned objects for some minutes
   * only.
   */
  private void acknowledge(int length) {
    try {
      jvm.begin(head, 0, length).close();
    } catch (IOException gone) {
      System.getLogger(ReverseConnection.class.getName())
          .log(System.Logger.Level.DEBUG, "DgcAck for {0}: {1}", jvm, gone);
    }
  }

  /** Answers the Call, of which nothing was executed, with an exception, and ignores its rest. */
  private void refuse(RemoteException why) throws IOException {
    byte[] message = ExceptionalReturn.encode(why);
    for (int at = 0; at < message.length; at += Tunnel.MAX_BODY_BYTES) {
      stream.send(false, message, at, Math.min(message.length - at, Tunnel.MAX_BODY_BYTES));
    }
    over = true;
  }

  private void warn(String text) {
    System.getLogger(ReverseConnection.class.getName())
        .log(System.Logger.Level.WARNING, text, peer, jvm);
  }

  private void endCall() {
    if (call != null) {
      call.end();
      call = null;
    }
  }
}
