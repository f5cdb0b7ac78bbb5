package desk;

/** A managed bean. */
public interface LampMBean {
  boolean isOn();

  void setOn(boolean on);

  String blink(int times);
}
