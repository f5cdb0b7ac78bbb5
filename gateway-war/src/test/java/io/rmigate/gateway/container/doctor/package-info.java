/**
 * The client's doctor in networks that are really like that, with its reports as golden files in
 * {@code client-factory/doctor}, where people look at them.
 */
package io.rmigate.gateway.container.doctor;
