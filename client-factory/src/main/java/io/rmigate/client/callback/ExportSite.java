package io.rmigate.client.callback;

import io.rmigate.client.link.LinkStream;
import io.rmigate.protocol.tunnel.Listening;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.Optional;

/**
 * Where the objects are for which the gateway listens at one port: this JVM's RMI runtime, or, for
 * a sidecar, another JVM. Nothing here may block but {@link #connect}: the reader of the link asks.
 */
public interface ExportSite {

  /** The gateway has given us that port. Once, before anything else. */
  void begin(int port);

  /**
   * A connection of an inner JVM: its Calls and DgcAcks are read from the stream, Returns are sent
   * there.
   *
   * @return false when the connection is not taken; the stream is closed then
   */
  boolean accept(LinkStream stream, InetAddress peer, int peerPort);

  /** Makes a dirty or clean call at the exporting JVM, after all calls that were given before. */
  void collect(CollectorCall call);

  /** No more dirty or clean calls come, and those under way may be given up. */
  void endCollecting();

  /** A connection of this machine's own to what is exported there; empty when there is no way. */
  Optional<Socket> connect() throws SocketException;

  /** Why nothing is exported there: what the gateway's answer means to who has asked. */
  IOException refusal(Listening answer, int port);

  /** Stops listening. Idempotent. */
  void close() throws IOException;
}
