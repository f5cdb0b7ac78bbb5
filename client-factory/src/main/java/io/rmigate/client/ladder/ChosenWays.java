package io.rmigate.client.ladder;

import io.rmigate.client.config.ClientConfig;
import io.rmigate.client.jvm.NanoClock;
import io.rmigate.client.transport.net.Networks;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * The ways chosen so far, and the reasons: for the ladders, which share them, and for the figures.
 * Thread-safe.
 */
public final class ChosenWays {
  private final WayMemory memory;

  private ChosenWays(WayMemory memory) {
    this.memory = memory;
  }

  /** The ways in the networks of this machine, none of them chosen yet. */
  public static ChosenWays of(ClientConfig config) {
    return with(new Networks(), config, NanoClock.SYSTEM);
  }

  static ChosenWays with(Networks networks, ClientConfig config, LongSupplier nanoTime) {
    return new ChosenWays(new WayMemory(networks, config.wayRetry(), nanoTime));
  }

  WayMemory memory() {
    return memory;
  }

  /** Sets the task to run once a destination is first reached, on the thread that reaches it. */
  public void whenFirstChosen(Runnable task) {
    memory.whenFirstTaken(task);
  }

  /** A line for each destination that was reached in this network: where, by which way, and why. */
  public List<String> lines() {
    return memory.lines();
  }
}
