package io.rmigate.client.ladder;

import io.rmigate.client.config.ClientConfig;
import io.rmigate.client.jvm.NanoClock;
import io.rmigate.client.transport.net.Networks;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * What has been chosen so far, and why: for the ladders, who share it, and for the figures.
 * Thread-safe.
 */
public final class ChosenWays {
  private final WayMemory memory;

  private ChosenWays(WayMemory memory) {
    this.memory = memory;
  }

  /** Nothing yet. */
  public static ChosenWays of(ClientConfig config) {
    return with(new Networks(), config, NanoClock.SYSTEM);
  }

  static ChosenWays with(Networks networks, ClientConfig config, LongSupplier nanoTime) {
    return new ChosenWays(new WayMemory(networks, config.wayRetry(), nanoTime));
  }

  WayMemory memory() {
    return memory;
  }

  /** What is to be done once something has been reached, on the thread that has reached it. */
  public void whenFirstChosen(Runnable task) {
    memory.whenFirstTaken(task);
  }

  /** A line for each destination that was reached in this network: where, by which way, and why. */
  public List<String> lines() {
    return memory.lines();
  }
}
