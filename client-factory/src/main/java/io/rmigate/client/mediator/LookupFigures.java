package io.rmigate.client.mediator;

/**
 * Counts of the application's lookups since the start. A lookup counts if the mediator may answer
 * it.
 *
 * @param servedHere answered at once
 * @param asked asked of the gateway, with any outcome
 * @param overStreams left to the registry
 * @param pushes bindings that the gateway has sent, replaced or voided unasked
 * @param evicted bindings forgotten because they had turned out to be wrong, or for want of room
 * @param held bindings held now
 */
public record LookupFigures(
    long servedHere, long asked, long overStreams, long pushes, long evicted, long held) {}
