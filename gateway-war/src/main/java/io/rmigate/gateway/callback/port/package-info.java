/**
 * Port numbers of the inner interface: the range that callbacks may use, the ledger which caller
 * has which number, and the file that keeps it over a restart. Imports nothing of {@code callback}.
 */
package io.rmigate.gateway.callback.port;
