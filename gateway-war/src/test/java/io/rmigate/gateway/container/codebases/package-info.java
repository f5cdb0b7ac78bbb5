/** Programs whose classes come from elsewhere, and what is sent with their names. */
package io.rmigate.gateway.container.codebases;
