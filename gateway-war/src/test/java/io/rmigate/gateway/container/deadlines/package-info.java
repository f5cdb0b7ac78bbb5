/** Calls whose time is over while servers, targets and links hang. */
package io.rmigate.gateway.container.deadlines;
