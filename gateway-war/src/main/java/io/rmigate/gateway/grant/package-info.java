/**
 * What sessions have learnt, sealed so that agents can keep it (PROTOCOL.md, section 12): the keys,
 * where they come from, and the seal. What is learnt and what a grant brings about is the matter of
 * {@code session}. Knows no sessions, no servers and no policy.
 */
package io.rmigate.gateway.grant;
