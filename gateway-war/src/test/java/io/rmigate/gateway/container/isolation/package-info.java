/** Networks that really keep client and server apart, with the gateway as the only way between. */
package io.rmigate.gateway.container.isolation;
