/** Objects of clients that servers inside call, on every kind of gateway. */
package io.rmigate.gateway.container.callbacks;
