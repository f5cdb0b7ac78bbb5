/** What a fresh client loads before its first call has been answered. */
package io.rmigate.gateway.container.coldstart;
