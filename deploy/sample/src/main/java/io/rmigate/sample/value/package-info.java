/**
 * What the calls of {@link io.rmigate.sample.Showcase} carry: a type of each kind for which the
 * web-service front has a rule, in soap-bridge's MAPPING.md.
 */
package io.rmigate.sample.value;
