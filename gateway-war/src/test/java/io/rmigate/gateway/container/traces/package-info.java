/**
 * Traces of real agents at both ends: spans of a client and of a server in one trace, and what an
 * attacker sends in the place of a context.
 */
package io.rmigate.gateway.container.traces;
