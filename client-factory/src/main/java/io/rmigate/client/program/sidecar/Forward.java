package io.rmigate.client.program.sidecar;

import io.rmigate.protocol.jrmp.EndpointId;
import java.net.InetSocketAddress;

/**
 * A port here that stands for a server inside.
 *
 * @param listen where clients come to
 * @param target where they want to go
 */
record Forward(InetSocketAddress listen, EndpointId target) {}
