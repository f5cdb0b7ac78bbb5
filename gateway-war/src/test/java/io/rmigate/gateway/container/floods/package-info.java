/** What honest callers notice of a client that has a login and floods the gateway. */
package io.rmigate.gateway.container.floods;
