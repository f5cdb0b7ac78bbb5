/**
 * The client's jar on JVMs of Java 8 to 25, and JVMs of Java 8 as servers and as clients of their
 * own tunnelling.
 */
package io.rmigate.gateway.container.oldjvms;
