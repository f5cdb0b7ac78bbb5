/** What honest callers notice of somebody who has a login and floods the gateway. */
package io.rmigate.gateway.container.floods;
