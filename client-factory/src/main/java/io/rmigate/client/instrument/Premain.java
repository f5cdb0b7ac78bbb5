package io.rmigate.client.instrument;

import io.rmigate.client.config.ClientConfigException;
import io.rmigate.client.config.ConfigKey;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.lang.module.ModuleFinder;

/**
 * Entry of {@code -javaagent:rmigate-client.jar=<gateway URL>[,key=value…]}; the keys are those of
 * {@link ConfigKey}.
 *
 * <p>Catches the sockets of all RMI that has no socket factory of its own. What brings one (JMX
 * over TLS, for one), and an application's global factory that makes plain sockets, goes past it,
 * unless {@link ConfigKey#SOCKETS} lists its destination.
 *
 * <p>Fails closed: a program that was to be tunnelled never runs untunnelled. When the
 * configuration cannot be used, or the factory cannot be put in place, the reason goes to the
 * standard error stream and the JVM ends with {@link #EXIT_STATUS}. An exception would end it too,
 * but as an abort with a stack trace of the JVM's own and possibly a core dump, in which the reason
 * is hard to find. So nothing that a JVM may lack is referred to here.
 */
public final class Premain {
  static final int EXIT_STATUS = 1;

  private static final String RMI = "java.rmi";
  private static final String NOT_STARTED =
      "the program is not started, as its RMI would not be tunnelled";

  private Premain() {}

  /** Called by the JVM before {@code main}, on the same thread. */
  public static void premain(String arguments, Instrumentation instrumentation) {
    try {
      if (ModuleLayer.boot().findModule(RMI).isPresent()) {
        AgentStart.start(arguments, instrumentation);
      } else if (ModuleFinder.ofSystem().find(RMI).isEmpty()) {
        refuse(
            "this run-time image has no module "
                + RMI
                + "; add it (jlink --add-modules java.rmi,java.instrument,…)");
      } // else the program's modules, or a tool of the JDK, use no RMI
    } catch (ClientConfigException e) {
      System.err.print(ConfigKey.help()); // first: what is wrong stands where the reader looks
      System.err.println("rmigate: " + NOT_STARTED);
      System.err.println("rmigate: " + e.getMessage());
      System.exit(EXIT_STATUS);
    } catch (SecurityException denied) {
      refuse(
          "the security manager does not let the agent work ("
              + denied.getMessage()
              + "); add to the policy: grant codeBase \"file:/path/of/rmigate-client.jar\""
              + " { permission java.security.AllPermission; };");
    } catch (NoClassDefFoundError missing) {
      refuse(
          "this JVM has no class "
              + String.valueOf(missing.getMessage()).replace('/', '.')
              + "; add its module to the run-time image (jlink --add-modules), or to the program's"
              + " (java --add-modules)");
    } catch (IOException | RuntimeException | Error failed) {
      refuse(failed instanceof IOException ? failed.getMessage() : failed.toString());
    }
  }

  private static void refuse(String reason) {
    System.err.println("rmigate: " + NOT_STARTED + ": " + reason);
    System.exit(EXIT_STATUS);
  }
}
