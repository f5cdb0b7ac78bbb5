package io.rmigate.gateway.container.management;

import java.util.Map;

/** An MBean that refuses what is asked of it, as a security manager does. */
public interface RefusalsMBean {
  /** A counter that can be changed. */
  int getCount();

  /** Changes the counter. */
  void setCount(int count);

  /** Names of permissions that {@link #refuse} knows. */
  Map<String, String> getPermissions();

  /** Throws an {@code AccessControlException} with this permission. */
  void refuse(String permission);
}
