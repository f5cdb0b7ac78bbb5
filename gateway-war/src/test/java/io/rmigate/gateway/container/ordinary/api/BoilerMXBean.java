package io.rmigate.gateway.container.ordinary.api;

import java.util.List;
import java.util.Map;
import javax.management.ConstructorParameters;

/** What is managed. */
public interface BoilerMXBean {
  int getTarget();

  void setTarget(int target);

  Reading getReading();

  Map<String, Reading> getReadings();

  /** Emits a notification. */
  void heat(int degrees);

  List<String> describe(String[] words, long number);

  /** What becomes composite data. */
  final class Reading {
    private final double degrees;
    private final String place;

    @ConstructorParameters({"degrees", "place"})
    public Reading(double degrees, String place) {
      this.degrees = degrees;
      this.place = place;
    }

    public double getDegrees() {
      return degrees;
    }

    public String getPlace() {
      return place;
    }
  }
}
