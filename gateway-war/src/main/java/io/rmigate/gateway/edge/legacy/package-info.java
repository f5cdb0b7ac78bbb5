/**
 * The HTTP tunnelling of JDK 8 and older, as a container sees it: {@link
 * io.rmigate.gateway.edge.legacy.LegacyServlet} finds out who asks and for what, {@link
 * io.rmigate.gateway.edge.legacy.LegacyExchange} is one request, {@link
 * io.rmigate.gateway.edge.legacy.StreamedAnswer} its answer, which goes out piece by piece without
 * a thread. What the messages mean is {@code legacy}'s affair.
 */
package io.rmigate.gateway.edge.legacy;
