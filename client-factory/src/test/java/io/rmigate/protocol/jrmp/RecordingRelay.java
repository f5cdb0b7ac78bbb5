package io.rmigate.protocol.jrmp;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntSupplier;

/**
 * A TCP relay on loopback that keeps every byte, split where the direction changes: JRMP is half
 * duplex, so that each piece is one message of a real JDK.
 */
final class RecordingRelay implements AutoCloseable {
  private final ServerSocket listener;
  private final IntSupplier target;
  private final List<Conversation> conversations = new CopyOnWriteArrayList<>();

  /**
   * Listens on a free port.
   *
   * @param target asked at each connection
   */
  RecordingRelay(IntSupplier target) throws IOException {
    this.target = target;
    listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    start(this::acceptAll);
  }

  int port() {
    return listener.getLocalPort();
  }

  /** What clients sent, without the preambles, by connection and in order. */
  List<byte[]> requests() {
    List<byte[]> all = new ArrayList<>();
    for (Conversation conversation : conversations) {
      // The first piece is magic, version and protocol; the second begins with the endpoint.
      List<byte[]> pieces = conversation.pieces(true);
      for (int i = 1; i < pieces.size(); i++) {
        byte[] piece = i == 1 ? withoutEndpoint(pieces.get(i)) : pieces.get(i);
        // A DgcAck is not answered, so that the next message may follow in the same piece.
        while (piece.length > 1 + Jrmp.UID_BYTES && piece[0] == Jrmp.DGC_ACK) {
          all.add(Arrays.copyOf(piece, 1 + Jrmp.UID_BYTES));
          piece = Arrays.copyOfRange(piece, 1 + Jrmp.UID_BYTES, piece.length);
        }
        all.add(piece);
      }
    }
    return all;
  }

  /** What servers sent, without the acknowledgements. */
  List<byte[]> replies() {
    List<byte[]> all = new ArrayList<>();
    for (Conversation conversation : conversations) {
      List<byte[]> pieces = conversation.pieces(false);
      all.addAll(pieces.subList(Math.min(1, pieces.size()), pieces.size()));
    }
    return all;
  }

  private static byte[] withoutEndpoint(byte[] piece) {
    int host = BigEndian.unsignedShort(piece, 0);
    return Arrays.copyOfRange(piece, 2 + host + 4, piece.length);
  }

  private void acceptAll() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        Socket server = new Socket(InetAddress.getLoopbackAddress(), target.getAsInt());
        Conversation conversation = new Conversation();
        conversations.add(conversation);
        start(() -> pump(client, server, conversation, true));
        start(() -> pump(server, client, conversation, false));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private static void pump(Socket from, Socket to, Conversation conversation, boolean request) {
    byte[] buffer = new byte[8192];
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        conversation.add(request, buffer, n);
        out.write(buffer, 0, n);
      }
    } catch (IOException over) {
      // One side closed: the conversation is over.
    }
  }

  private static void start(Runnable task) {
    Thread thread = new Thread(task, "recording-relay");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }

  /** Guarded by itself. */
  private static final class Conversation {
    private final List<ByteArrayOutputStream> requests = new ArrayList<>();
    private final List<ByteArrayOutputStream> replies = new ArrayList<>();
    private boolean lastWasRequest;

    synchronized void add(boolean request, byte[] bytes, int length) {
      List<ByteArrayOutputStream> side = request ? requests : replies;
      if (side.isEmpty() || request != lastWasRequest) {
        side.add(new ByteArrayOutputStream());
      }
      lastWasRequest = request;
      side.get(side.size() - 1).write(bytes, 0, length);
    }

    synchronized List<byte[]> pieces(boolean request) {
      return (request ? requests : replies)
          .stream().map(ByteArrayOutputStream::toByteArray).toList();
    }
  }
}
