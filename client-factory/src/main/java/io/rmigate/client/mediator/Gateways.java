package io.rmigate.client.mediator;

import io.rmigate.client.transport.GatewayUnavailableException;
import io.rmigate.client.transport.TransportConnector;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;

/**
 * The gateways that are configured, and the order in which they are tried: the listed one, except
 * that the one which was left, as it drains or is not there, comes last until it is used again.
 *
 * <p>Guarded by {@code AgentLink.opening}.
 */
final class Gateways {
  private final List<TransportConnector> listed;

  /** Null when none was left. */
  private TransportConnector left;

  /**
   * @param listed at least one
   */
  Gateways(List<TransportConnector> listed) {
    this.listed = List.copyOf(listed);
  }

  /** All, the first to be tried first. */
  List<TransportConnector> inOrder() {
    List<TransportConnector> order = othersThan(left);
    if (left != null) {
      order.add(left);
    }
    return order;
  }

  /** All but one, the first to be tried first. */
  List<TransportConnector> othersThan(TransportConnector one) {
    List<TransportConnector> others = new ArrayList<>(listed);
    others.remove(one);
    return others;
  }

  /** This one drains, or is not there: others first. */
  void leave(TransportConnector gateway) {
    left = gateway;
  }

  /** There is a session at this one. */
  void use(TransportConnector gateway) {
    if (gateway == left) {
      left = null;
    }
  }

  /**
   * Whether another gateway may succeed where one has failed. A refused login is reported, because
   * the user has to fix it, and no other gateway is tried.
   */
  static boolean mayDoBetter(IOException failure) {
    return failure instanceof SocketException // not reached, lost, or said goodbye by
        || failure instanceof UnknownHostException
        || failure instanceof InterruptedIOException
        || failure instanceof EOFException
        || failure instanceof GatewayUnavailableException;
  }
}
