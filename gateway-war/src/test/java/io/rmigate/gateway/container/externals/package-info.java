/** Programs whose calls carry Externalizables of their own, through a gateway in its own JVM. */
package io.rmigate.gateway.container.externals;
