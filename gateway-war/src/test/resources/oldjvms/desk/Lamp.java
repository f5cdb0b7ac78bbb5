package desk;

import javax.management.AttributeChangeNotification;
import javax.management.NotificationBroadcasterSupport;

/** Tells its listeners of each change. */
public final class Lamp extends NotificationBroadcasterSupport implements LampMBean {
  private boolean on;
  private long changes;

  @Override
  public synchronized boolean isOn() {
    return on;
  }

  @Override
  public synchronized void setOn(boolean on) {
    boolean before = this.on;
    this.on = on;
    sendNotification(
        new AttributeChangeNotification(
            this, ++changes, System.currentTimeMillis(), "changed", "On", "boolean", before, on));
  }

  @Override
  public String blink(int times) {
    return "blinked " + times;
  }
}
