package io.rmigate.gateway.container.repeats;

/** {@link Payments} by JMX. */
public interface Paying {
  /** Counted; see {@link Payments#pay}. */
  Object pay(int bytes);
}
