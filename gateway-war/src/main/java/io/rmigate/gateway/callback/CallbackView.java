package io.rmigate.gateway.callback;

import java.util.List;

/**
 * Ports on the inner interface, for people: an immutable snapshot.
 *
 * @param quarantined ports that were freed lately
 */
public record CallbackView(List<ListenerView> listeners, List<Integer> quarantined) {}
