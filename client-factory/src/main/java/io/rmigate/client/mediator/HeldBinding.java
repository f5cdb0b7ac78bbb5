package io.rmigate.client.mediator;

import io.rmigate.client.link.Link;
import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.UniqueIdentifier;
import io.rmigate.protocol.jrmp.message.LiveReference;
import io.rmigate.protocol.jrmp.message.ReturnHeader;
import io.rmigate.protocol.tunnel.Bound;
import io.rmigate.protocol.tunnel.RegistryName;
import java.util.List;

/**
 * What a name is bound to, as the gateway has said it on one link.
 *
 * @param number by which the gateway knows it
 * @param message its Return, which is answered again and again, always with the same UID
 * @param acknowledge that UID
 * @param references what the Return holds
 */
@SuppressWarnings("ArrayRecordComponent") // wire bytes: identity, not value
record HeldBinding(
    Link link,
    RegistryName name,
    long number,
    byte[] message,
    UniqueIdentifier acknowledge,
    List<LiveReference> references) {

  /**
   * Reads what the gateway has sent.
   *
   * @param references that were found in it
   * @throws ProtocolViolationException it is not a normal Return
   */
  static HeldBinding of(Link link, RegistryName name, Bound bound, List<LiveReference> references)
      throws ProtocolViolationException {
    byte[] message = bound.message();
    ReturnHeader header = ReturnHeader.decode(message, 0, message.length).orElse(null);
    if (header == null || header.exceptional()) {
      throw new ProtocolViolationException("expected a normal Return in BOUND, got " + header);
    }
    return new HeldBinding(
        link,
        name,
        bound.binding(),
        message,
        UniqueIdentifier.decode(header.acknowledge(), 0),
        references);
  }

  boolean isAt(EndpointId endpoint) {
    return references.stream()
        .anyMatch(
            reference ->
                reference.port() == endpoint.port()
                    && reference.host().equalsIgnoreCase(endpoint.host()));
  }

  /** Memory, roughly, in bytes. */
  int weight() {
    return 512 + message.length + 2 * name.name().length();
  }
}
