package io.rmigate.perf.dictionary;

import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.rmi.server.RMISocketFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A global RMI socket factory that records the bytes of its clients in both directions. Each
 * connection goes to this machine, for any host in a stub.
 */
final class RecordingSockets extends RMISocketFactory {
  /** Bytes of the UID in a DgcAck (RMI specification, chapter 10). */
  private static final int UID_BYTES = 14;

  private static final int DGC_ACK = 0x54;

  private final List<Conversation> conversations = new CopyOnWriteArrayList<>();

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    Conversation conversation = new Conversation();
    conversations.add(conversation);
    return new RecordingSocket(port, conversation);
  }

  @Override
  public ServerSocket createServerSocket(int port) throws IOException {
    return new ServerSocket(port, 50, InetAddress.getLoopbackAddress());
  }

  Recording recording() {
    List<Message> messages = new ArrayList<>();
    for (int i = 0; i < conversations.size(); i++) {
      conversations.get(i).addMessages(i, messages);
    }
    return new Recording(messages);
  }

  /** The bytes of one connection, cut where the direction changes: JRMP is half duplex. */
  private static final class Conversation {
    private final List<ByteArrayOutputStream> pieces = new ArrayList<>();
    private boolean lastWasRequest;

    synchronized void add(boolean request, byte[] bytes, int offset, int length) {
      if (pieces.isEmpty() || lastWasRequest != request) {
        pieces.add(new ByteArrayOutputStream());
      }
      lastWasRequest = request;
      pieces.get(pieces.size() - 1).write(bytes, offset, length);
    }

    /** Without the header, the acknowledgement and the endpoint, which never cross a link. */
    synchronized void addMessages(int connection, List<Message> messages) {
      for (int i = 2; i < pieces.size(); i++) {
        byte[] piece = pieces.get(i).toByteArray();
        boolean request = i % 2 == 0;
        if (i == 2) {
          int host = piece[0] << 8 | piece[1];
          piece = Arrays.copyOfRange(piece, 2 + host + 4, piece.length);
        }
        while (request && piece.length > 1 + UID_BYTES && piece[0] == DGC_ACK) {
          byte[] ack = Arrays.copyOf(piece, 1 + UID_BYTES); // not answered: more may follow at once
          messages.add(new Message(connection, true, ack));
          piece = Arrays.copyOfRange(piece, 1 + UID_BYTES, piece.length);
        }
        if (piece.length > 1) { // else a ping, its answer, or nothing
          messages.add(new Message(connection, request, piece));
        }
      }
    }
  }

  private static final class RecordingSocket extends Socket {
    private final Conversation conversation;

    RecordingSocket(int port, Conversation conversation) throws IOException {
      super(InetAddress.getLoopbackAddress(), port);
      this.conversation = conversation;
    }

    @Override
    public InputStream getInputStream() throws IOException {
      return new FilterInputStream(super.getInputStream()) {
        @Override
        public int read() throws IOException {
          byte[] one = new byte[1];
          return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
          int count = in.read(buffer, offset, length);
          if (count > 0) {
            conversation.add(false, buffer, offset, count);
          }
          return count;
        }
      };
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
      return new FilterOutputStream(super.getOutputStream()) {
        @Override
        public void write(int b) throws IOException {
          write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
          conversation.add(true, bytes, offset, length);
          out.write(bytes, offset, length);
        }
      };
    }
  }
}
