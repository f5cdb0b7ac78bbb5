package io.rmigate.client.instrument;

import io.rmigate.client.Rmigate;
import io.rmigate.client.config.ClientConfig;
import io.rmigate.client.config.ClientConfigException;
import io.rmigate.client.config.ConfigKey;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.rmi.server.RMISocketFactory;

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
 * is hard to find.
 */
public final class Premain {
  static final int EXIT_STATUS = 1;

  private Premain() {}

  /** Called by the JVM before {@code main}, on the same thread. */
  public static void premain(String arguments, Instrumentation instrumentation) {
    try {
      ClientConfig config =
          ClientConfig.fromAgentArguments(arguments, System.getProperties(), System.getenv());
      Rmigate rmigate = Rmigate.with(config, RMISocketFactory.getDefaultSocketFactory());
      AnnouncingSocketFactory announcing =
          new AnnouncingSocketFactory(rmigate.socketFactory(), config);
      announcing.installedIn(DefaultFactorySlot.install(announcing, instrumentation));
      rmigate.openDoor();
      if (!config.exports().isEmpty()) {
        FirstExport.watch(instrumentation, rmigate::prepareExports);
      }
    } catch (ClientConfigException e) {
      refuse(e.getMessage());
      System.err.print(ConfigKey.help());
      System.exit(EXIT_STATUS);
    } catch (IOException e) {
      refuse(e.getMessage());
      System.exit(EXIT_STATUS);
    }
  }

  private static void refuse(String reason) {
    System.err.println("rmigate: " + reason);
    System.err.println("rmigate: the program is not started, as its RMI would not be tunnelled");
  }
}
