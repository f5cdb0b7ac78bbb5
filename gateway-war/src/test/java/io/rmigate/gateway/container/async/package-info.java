/** Calls for whose results no thread waits, with a real gateway, client and server. */
package io.rmigate.gateway.container.async;
