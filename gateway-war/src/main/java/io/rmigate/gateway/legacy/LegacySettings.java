package io.rmigate.gateway.legacy;

import io.rmigate.gateway.callback.InnerPeers;
import java.time.Duration;
import java.util.Optional;

/**
 * The clients that may use the HTTP tunnelling of old JDKs, and their bounds.
 *
 * @param principal of requests without a login; empty: every client has to log in
 * @param from where requests may come from; empty: from anywhere
 * @param maxBodyBytes of one request
 * @param maxRequests in progress, of all clients together
 * @param patience how long a body may take to come, however small it is, and how long a client may
 *     take nothing of its answer
 * @param callTimeout the longest a server may take to answer
 * @param lease what clients are granted, and how long one is remembered that holds nothing
 */
public record LegacySettings(
    Optional<String> principal,
    Optional<InnerPeers> from,
    int maxBodyBytes,
    int maxRequests,
    Duration patience,
    Duration callTimeout,
    Duration lease) {}
