package io.rmigate.client.program.sidecar;

import io.rmigate.protocol.jrmp.EndpointId;

/**
 * A port of the gateway that stands for one of a JVM here.
 *
 * @param port at which the gateway is to listen, and which that JVM's stubs name
 * @param local where that JVM listens
 */
record ReversePort(int port, EndpointId local) {}
