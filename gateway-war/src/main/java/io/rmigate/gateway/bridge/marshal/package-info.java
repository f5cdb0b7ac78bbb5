/**
 * Calls and Returns of remote methods as the JDK's stubs marshal them (RMI specification, section
 * 10.2), with the classes of one publication and without any stub of the JDK's: {@link
 * io.rmigate.gateway.bridge.marshal.CallWriter} writes, {@link
 * io.rmigate.gateway.bridge.marshal.ReplyReader} reads what {@link
 * io.rmigate.gateway.bridge.marshal.ReplyFilter} lets in.
 *
 * <p>This is the one place in the gateway that deserializes, never what an agent has sent: replies
 * of servers to the gateway's own calls only. A stub in a reply becomes a proxy whose handler is
 * nothing but an endpoint and an object's number; the JDK's handler would begin to call by itself.
 *
 * <p>Knows bytes only: must not import {@code java.net} nor other packages of the gateway.
 */
package io.rmigate.gateway.bridge.marshal;
