package io.rmigate.gateway.stream;

/**
 * The parts of one stream that its judgement works with.
 *
 * <p>Guarded by {@link OpenStream#lock()}.
 */
record StreamParts(
    OpenStream stream,
    AuditedCall audit,
    RequestWindow window,
    RequestGathering gathering,
    ReturnPath returns,
    StreamConnections connections) {}
