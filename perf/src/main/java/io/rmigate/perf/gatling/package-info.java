/**
 * {@code perf/gatling}: users of the sample's object, by Gatling, way by way through networks that
 * hinder them. {@link io.rmigate.perf.gatling.GatlingCommand} starts server and gateway once
 * ({@link io.rmigate.perf.gatling.Site}), lays out each {@link io.rmigate.perf.gatling.Scenario}
 * with its boxes, and has a JVM of its own run {@link io.rmigate.perf.gatling.TesterSimulation} for
 * each way, since a JVM has one RMI socket factory.
 *
 * <p>Calls block, as RMI's do: {@link io.rmigate.perf.gatling.RemoteCallAction} makes them on
 * threads of their own and never on Gatling's.
 */
package io.rmigate.perf.gatling;
