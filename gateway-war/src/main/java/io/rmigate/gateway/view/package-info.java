/**
 * What administrators and metrics see of sessions: snapshots, counters, and what may be ended.
 *
 * <p>Must not import {@code gateway.session} or {@code gateway.stream}.
 */
package io.rmigate.gateway.view;
