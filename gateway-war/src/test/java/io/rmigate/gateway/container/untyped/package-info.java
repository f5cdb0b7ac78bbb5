/** Programs whose remote interfaces do not name the classes that calls carry. */
package io.rmigate.gateway.container.untyped;
