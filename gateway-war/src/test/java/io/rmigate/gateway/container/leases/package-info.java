/**
 * Leases with real JVMs at both ends: a server whose objects live by references alone, and clients
 * that take, hold and drop them at the test's word.
 */
package io.rmigate.gateway.container.leases;
