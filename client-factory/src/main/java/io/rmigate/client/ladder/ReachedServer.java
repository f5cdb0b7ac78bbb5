package io.rmigate.client.ladder;

import io.rmigate.client.config.Way;
import io.rmigate.client.transport.net.ServerConnection;
import java.io.Closeable;

/**
 * A connection to an RMI server itself, which has answered the beginning of JRMP.
 *
 * @param header what it was sent, to be kept from it when the RMI runtime sends the same
 * @param acknowledgement what it has answered, to be read by the RMI runtime
 */
@SuppressWarnings("ArrayRecordComponent") // wire bytes: identity, not value
public record ReachedServer(
    Way way, ServerConnection connection, byte[] header, byte[] acknowledgement)
    implements Closeable {
  @Override
  public void close() {
    connection.close();
  }
}
