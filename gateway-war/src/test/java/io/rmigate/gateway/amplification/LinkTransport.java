package io.rmigate.gateway.amplification;

import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.session.LinkPort;
import io.rmigate.gateway.session.SessionRegistry;
import io.rmigate.gateway.session.TunnelSession;
import io.rmigate.protocol.tunnel.CloseCause;
import java.io.IOException;
import java.nio.ByteBuffer;

/** One connection for the whole session: a WebSocket without the container's part. */
final class LinkTransport implements ClientTransport, LinkPort {
  private final Wire wire = Wire.open();
  private final TunnelSession session;
  private int unread;
  private long sentBytes;

  LinkTransport(SessionRegistry registry, Principal principal, Inbox inbox) throws IOException {
    this.session = registry.begin(this, principal);
    Inbox.drain(
        wire.client(),
        in -> {
          byte[] buffer = new byte[Wire.ROOM];
          for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
            inbox.feed(buffer, count);
          }
        });
  }

  @Override
  public void send(byte[] bytes, int length) throws IOException {
    wire.send(bytes, 0, length);
    unread = length;
    sentBytes += length;
  }

  @Override
  public void take() throws IOException {
    session.onBytes(wire.take(unread));
  }

  @Override
  public long sentBytes() {
    return sentBytes;
  }

  @Override
  public void send(ByteBuffer bytes, SendEnd end) {
    try {
      Wire.write(wire.gateway(), bytes);
      end.sendEnded(null);
    } catch (IOException gone) {
      end.sendEnded(gone);
    }
  }

  @Override
  public void close(CloseCause cause) {
    try {
      wire.close();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public String peer() {
    return "192.0.2.1:40000";
  }

  @Override
  public void close() throws IOException {
    session.onTransportClosed();
    wire.close();
  }
}
