/**
 * A program with one call of each kind that ordinary applications make, a server and a client that
 * know nothing of rmigate: each call has the result through a gateway that it has without one.
 */
package io.rmigate.gateway.container.ordinary;
