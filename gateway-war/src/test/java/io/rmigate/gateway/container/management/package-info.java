/** JMX clients with real JVMs at both ends, at targets whose JMX may only be read. */
package io.rmigate.gateway.container.management;
