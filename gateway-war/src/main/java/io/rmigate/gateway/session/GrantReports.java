package io.rmigate.gateway.session;

import io.rmigate.gateway.grant.GrantRefusal;
import io.rmigate.gateway.view.SessionMeters;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.tunnel.Grant;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Where the grants of a session go, and what becomes of those that are shown.
 *
 * @param agent takes what is to be sent; called under the lock of {@link SessionGrants}
 * @param audit takes the first that is refused; called under that lock
 */
record GrantReports(
    Consumer<Grant> agent, BiConsumer<EndpointId, GrantRefusal> audit, SessionMeters meters) {}
