/**
 * The keys and authorities of the gateway's own server, and the files that hold them. Imports no
 * other package but {@code problem}.
 */
package io.rmigate.gateway.tls;
