/**
 * The kits of {@code deploy/}, as they lie there: each that can run without a container engine is
 * started and called through; the others are judged by their own tools. What a test gives them is
 * what an installation changes: certificate, users, the names of the targets, ports.
 *
 * <p>Tools that are no part of a usual machine come by {@code deploy/get-tools}; where one is
 * missing its tests are skipped and say so.
 */
package io.rmigate.gateway.container.kits;
