package io.rmigate.client.socks;

import io.rmigate.client.deadline.Deadlines;
import io.rmigate.client.link.LinkStream;
import io.rmigate.client.mediator.MediatorAgent;
import io.rmigate.client.socket.MediatedConnection;
import io.rmigate.protocol.LogText;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.tunnel.Refused;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.net.Socket;
import java.util.Optional;

/**
 * Serves the connection of a client by the protocol of its first bytes: JRMP is mediated, any other
 * protocol is carried as a raw stream. Both protocols that RMI uses, JRMP and TLS, let the client
 * speak first. Thread-safe; each connection has a thread of its own.
 */
public final class ConnectionProtocol {
  private static final byte[] JRMP = {
    (byte) (Jrmp.MAGIC >>> 24),
    (byte) (Jrmp.MAGIC >>> 16),
    (byte) (Jrmp.MAGIC >>> 8),
    (byte) Jrmp.MAGIC
  };

  private final MediatorAgent agent;
  private final Deadlines deadlines;

  /**
   * @param deadlines of mediated calls
   */
  public ConnectionProtocol(MediatorAgent agent, Deadlines deadlines) {
    this.agent = agent;
    this.deadlines = deadlines;
  }

  /**
   * Serves a client that believes that it is connected to its server, until one of them ends the
   * connection.
   *
   * <p>A raw stream that the gateway refuses, before or after the first bytes of the client, ends
   * the client's connection with a reset, and with a warning that gives the reason.
   *
   * @param in input of the client, from which nothing has been read
   * @param isRawPermitted whether a protocol other than JRMP is carried to this target
   */
  public void serve(
      Socket client, BufferedInputStream in, EndpointId target, boolean isRawPermitted)
      throws IOException {
    if (hasEnded(in)) {
      return;
    }
    if (isJrmp(in)) {
      new MediatedConnection(agent, deadlines, target, client, in).run();
    } else if (isRawPermitted) {
      carry(client, in, target);
    } else {
      warn(target, "its protocol is not JRMP, and sockets does not list the target");
    }
  }

  private static boolean hasEnded(BufferedInputStream in) throws IOException {
    in.mark(1);
    boolean ended = in.read() < 0;
    in.reset();
    return ended;
  }

  /** Whether the first bytes are those of JRMP; they stay to be read. */
  private static boolean isJrmp(BufferedInputStream in) throws IOException {
    in.mark(JRMP.length);
    boolean same = true;
    for (int i = 0; i < JRMP.length && same; i++) {
      same = in.read() == (JRMP[i] & 0xFF);
    }
    in.reset();
    return same;
  }

  private void carry(Socket client, BufferedInputStream in, EndpointId target) throws IOException {
    LinkStream stream = null;
    try {
      Optional<String> refusal;
      try {
        stream = agent.openRaw(target.host(), target.port());
        refusal = stream.awaitConnected().map(Refused::text);
      } catch (IOException failed) {
        refusal = Optional.of(String.valueOf(failed.getMessage()));
      }
      if (refusal.isPresent()) {
        client.setSoLinger(true, 0); // close sends a reset: the client must not take it for an end
        warn(target, refusal.get());
      } else {
        new RawPipe(client, in, stream, agent.account()).run();
      }
    } finally {
      if (stream != null) {
        stream.close();
        stream.closeReason().ifPresent(reason -> warn(target, reason));
      }
    }
  }

  private static void warn(EndpointId target, String reason) {
    System.getLogger(ConnectionProtocol.class.getName())
        .log(
            System.Logger.Level.WARNING,
            "no connection to {0}: {1}",
            LogText.of(target.toString()),
            reason);
  }
}
