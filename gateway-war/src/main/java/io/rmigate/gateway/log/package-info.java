/**
 * What is written to the log of what others can cause as often as they like: {@link
 * io.rmigate.gateway.log.RareLines}. Knows of whom it is nothing but whether it is an address.
 */
package io.rmigate.gateway.log;
