/**
 * The speed command: {@link io.rmigate.perf.speed.Speed} starts the systems to compare, each in
 * JVMs of its own, lets them make calls in turns, and reports what each costs relative to plain RMI
 * in the same round. {@link io.rmigate.perf.speed.SpeedClient} is the program that makes the calls;
 * it is the same for every system and knows nothing of rmigate.
 *
 * <p>Must not import the gateway, nor the client but through {@link io.rmigate.perf.relay}.
 */
package io.rmigate.perf.speed;
