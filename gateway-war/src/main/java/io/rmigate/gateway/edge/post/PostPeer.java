package io.rmigate.gateway.edge.post;

import io.rmigate.gateway.login.LoginAudit;
import io.rmigate.protocol.AddressLiteral;
import io.rmigate.protocol.AddressOwner;
import jakarta.servlet.http.HttpServletRequest;
import java.net.InetAddress;

/**
 * Where a request comes from.
 *
 * @param owner with whom it shares what an address may have
 * @param text address and port, for people
 * @param via the trusted proxy whose word that is; null where there is none
 */
record PostPeer(AddressOwner owner, String text, Object via) {
  /** The peer of a request; requests without a known address have one peer. */
  static PostPeer of(HttpServletRequest request) {
    String address = String.valueOf(request.getRemoteAddr());
    InetAddress known = AddressLiteral.ofPeer(address).orElseGet(InetAddress::getLoopbackAddress);
    return new PostPeer(
        AddressOwner.of(known),
        address + ":" + request.getRemotePort(),
        request.getAttribute(LoginAudit.PROXY));
  }

  @Override
  public String toString() {
    return text;
  }
}
