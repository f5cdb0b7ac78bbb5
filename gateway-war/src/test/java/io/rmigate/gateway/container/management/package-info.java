/**
 * JMX with real JVMs at both ends: what consoles do with a JVM that they manage, jconsole itself,
 * what targets do whose JMX may only be read, and what the gateway says where JMX is not permitted.
 */
package io.rmigate.gateway.container.management;
