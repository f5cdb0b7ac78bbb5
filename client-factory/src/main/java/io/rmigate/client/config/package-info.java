/**
 * What the user may set, and how: one table of keys ({@link io.rmigate.client.config.ConfigKey}),
 * three places to set them (javaagent arguments or builder, system properties, environment), one
 * immutable result ({@link io.rmigate.client.config.ClientConfig}).
 *
 * <p>Values only: nothing here opens a socket or starts a thread; secrets are read from their files
 * at the moment they are used, so that a changed file needs no restart. Used by every other client
 * package; imports none of them but the values of {@link io.rmigate.client.deadline}.
 */
package io.rmigate.client.config;
