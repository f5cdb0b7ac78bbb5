package io.rmigate.gateway.container.ordinary;

import io.rmigate.gateway.container.ordinary.api.BoilerMXBean;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.management.AttributeChangeNotification;
import javax.management.NotificationBroadcasterSupport;

/** What is managed. */
public final class Boiler extends NotificationBroadcasterSupport implements BoilerMXBean {
  private int target = 60;
  private long sequence;

  @Override
  public synchronized int getTarget() {
    return target;
  }

  @Override
  public synchronized void setTarget(int target) {
    this.target = target;
  }

  @Override
  public Reading getReading() {
    return new Reading(61.5, "top");
  }

  @Override
  public Map<String, Reading> getReadings() {
    Map<String, Reading> readings = new TreeMap<>();
    readings.put("top", new Reading(61.5, "top"));
    readings.put("bottom", new Reading(48, "bottom"));
    return readings;
  }

  @Override
  public synchronized void heat(int degrees) {
    sendNotification(
        new AttributeChangeNotification(
            OrdinaryServer.BOILER,
            ++sequence,
            0,
            "heated",
            "Target",
            "int",
            target,
            target + degrees));
  }

  @Override
  public List<String> describe(String[] words, long number) {
    return Arrays.asList(String.join("-", words), Long.toString(number));
  }
}
