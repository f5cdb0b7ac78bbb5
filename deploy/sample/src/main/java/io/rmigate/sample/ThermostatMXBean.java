package io.rmigate.sample;

import java.util.List;

/** A management interface with everything that JMX has: attributes, an operation, notifications. */
public interface ThermostatMXBean {

  /** Degrees Celsius that are wanted. */
  double getTarget();

  /** Sets {@link #getTarget} and notifies the listeners of the change. */
  void setTarget(double celsius);

  /** The last targets, oldest first, for an operation with an argument and a composite result. */
  List<Reading> history(int limit);

  /**
   * One setting.
   *
   * @param sequence counts the settings from 1
   */
  record Reading(long sequence, double celsius) {

    /** For MXBean conversion, which looks for getters. */
    public long getSequence() {
      return sequence;
    }

    /** For MXBean conversion, which looks for getters. */
    public double getCelsius() {
      return celsius;
    }
  }
}
