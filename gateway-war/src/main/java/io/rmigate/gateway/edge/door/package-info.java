/**
 * Classes that the edge and its transports share: request bodies that arrive in pieces, and the
 * audit entries of logins at a door.
 */
package io.rmigate.gateway.edge.door;
