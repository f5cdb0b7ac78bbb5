/** Which way a client takes through a real HTTP proxy to a real gateway, as it is let through. */
package io.rmigate.gateway.container.ways;
