/**
 * The web-service front's edge: published remote objects, called over HTTP by clients that do not
 * speak Java.
 *
 * <p>{@link io.rmigate.gateway.services.ServicesServlet} finds out who asks, {@link
 * io.rmigate.gateway.services.ServiceVisit} what for; {@link io.rmigate.gateway.services.Dispatch}
 * picks the {@link io.rmigate.gateway.services.Front} that speaks the request's media type; {@link
 * io.rmigate.gateway.services.HandleTable} holds what calls have returned by reference. The calls
 * themselves are made by {@link io.rmigate.gateway.bridge.BridgeCalls}. Besides edge and login,
 * container types are known here. Must not import session, relay, lease, edge, metrics, config or
 * standalone.
 */
package io.rmigate.gateway.services;
