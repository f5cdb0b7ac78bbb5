/**
 * The comparator: a relay that carries each RMI connection over a WebSocket of its own and does
 * nothing with it. Its server side stands on the same Jetty, with the same settings, as the
 * stand-alone gateway; its client side on the same WebSocket client as the agent. What rmigate
 * costs beyond it is what rmigate does.
 *
 * <p>Must not import the gateway, nor the link protocol but for the name of its subprotocol.
 */
package io.rmigate.perf.relay;
