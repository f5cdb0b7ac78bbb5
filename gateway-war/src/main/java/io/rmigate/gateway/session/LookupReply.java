package io.rmigate.gateway.session;

import io.rmigate.gateway.relay.AddressRule;
import io.rmigate.protocol.jrmp.LiveReference;
import io.rmigate.protocol.jrmp.LiveReferenceScan;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;

/**
 * The Return of a lookup in a permitted registry: the endpoints that it names may be reached in
 * this session.
 *
 * <p>Guarded by {@link TunnelStream#lock()}.
 */
final class LookupReply {

  /** Replies are scanned up to this length. */
  private static final int MAX_SCANNED_BYTES = 64 * 1024;

  private final TunnelSession session;
  private final String registryHost;
  private final AddressRule registryRule;
  private final ByteArrayOutputStream reply = new ByteArrayOutputStream(512);

  /**
   * The reply that is to come.
   *
   * @param registryRule the addresses that the registry's own host name may stand for
   */
  LookupReply(TunnelSession session, String registryHost, AddressRule registryRule) {
    this.session = session;
    this.registryHost = registryHost;
    this.registryRule = registryRule;
  }

  /** More of the reply; {@code bytes} are left as they are. */
  void onBytes(ByteBuffer bytes) {
    byte[] copy = new byte[Math.min(bytes.remaining(), MAX_SCANNED_BYTES - reply.size())];
    bytes.get(bytes.position(), copy);
    reply.write(copy, 0, copy.length);
    byte[] all = reply.toByteArray();
    LiveReferenceScan.scan(all, 0, all.length, this::learn);
  }

  private void learn(LiveReference reference) {
    boolean sameHost = reference.host().equalsIgnoreCase(registryHost);
    session.learn(
        reference.host(), reference.port(), sameHost ? registryRule : AddressRule.ROUTABLE);
  }
}
