package io.rmigate.client.jvm;

import java.io.IOException;
import java.security.AccessController;
import java.security.AllPermission;
import java.security.PrivilegedAction;
import java.security.PrivilegedActionException;
import java.security.PrivilegedExceptionAction;

/**
 * Lets the agent do its own work under a security manager (JDK 17 to 23), for any caller: the RMI
 * runtime runs connection threads without any permission, and an application need not be allowed
 * what the agent does for it. What the application itself needs for plain RMI it needs with the
 * agent too: {@link #checkConnect} and {@link #checkListen}.
 *
 * <p>Without a security manager all of this costs one look.
 */
@SuppressWarnings("removal") // what goes away after JDK 23 is needed until then
public final class Privileged {

  /** An action that runs with the agent's permissions. */
  @FunctionalInterface
  public interface Action<T> {
    /** Runs the action. */
    T run() throws IOException;
  }

  private Privileged() {}

  /**
   * Whether there is a security manager. Where each start counts, callers ask before they make an
   * action for {@link #call} or {@link #run}.
   */
  public static boolean isNeeded() {
    return System.getSecurityManager() != null;
  }

  /** Does it with the agent's permissions, not the caller's. */
  public static <T> T call(Action<T> action) throws IOException {
    if (System.getSecurityManager() == null) {
      return action.run();
    }
    try {
      return AccessController.doPrivileged((PrivilegedExceptionAction<T>) action::run);
    } catch (PrivilegedActionException failed) {
      throw (IOException) failed.getException();
    }
  }

  /** Runs an action that throws no checked exception with the agent's permissions. */
  public static void run(Runnable action) {
    if (System.getSecurityManager() == null) {
      action.run();
    } else {
      AccessController.doPrivileged(
          (PrivilegedAction<Void>)
              () -> {
                action.run();
                return null;
              });
    }
  }

  /**
   * Asserts that the agent has the permissions that it needs.
   *
   * @throws SecurityException the policy does not give them
   */
  public static void check() {
    SecurityManager manager = System.getSecurityManager();
    if (manager != null) {
      run(() -> manager.checkPermission(new AllPermission()));
    }
  }

  /**
   * Asserts that the caller may connect there, as a socket does that leads there directly.
   *
   * @throws SecurityException the policy does not let it
   */
  public static void checkConnect(String host, int port) {
    SecurityManager manager = System.getSecurityManager();
    if (manager != null) {
      manager.checkConnect(host, port);
    }
  }

  /**
   * Asserts that the caller may listen there.
   *
   * @throws SecurityException the policy does not let it
   */
  public static void checkListen(int port) {
    SecurityManager manager = System.getSecurityManager();
    if (manager != null) {
      manager.checkListen(port);
    }
  }
}
