package io.rmigate.gateway.callback;

import io.rmigate.protocol.jrmp.message.CallHeader;
import java.util.Optional;

/**
 * A Call of an inner JVM to an agent's object that has no Return yet, for people: an immutable
 * snapshot.
 *
 * @param ageMillis since its first byte was here
 * @param answered the agent has answered, and that waits for leases of the gateway's
 * @param host how stubs name the listener
 * @param port of the listener
 * @param peer whose Call it is, as {@code address:port}
 * @param header whom it is for, if that can be read
 * @param stream 0 when the agent knows nothing of it yet
 */
public record CallbackCall(
    long ageMillis,
    boolean answered,
    String host,
    int port,
    String peer,
    Optional<CallHeader> header,
    int stream) {}
