package io.rmigate.client.instrument;

import io.rmigate.client.Rmigate;
import io.rmigate.client.config.CallbacksHostname;
import io.rmigate.client.config.ClientConfig;
import io.rmigate.client.jvm.DefaultLogLevel;
import io.rmigate.client.jvm.Privileged;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.rmi.server.RMISocketFactory;

/** The start of the agent by {@link Premain}, in a JVM that has everything it needs. */
final class AgentStart {
  private AgentStart() {}

  /**
   * Puts the tunnelling socket factory in place. Starts no thread and opens nothing.
   *
   * @throws io.rmigate.client.config.ClientConfigException the configuration cannot be used
   * @throws SecurityException the policy of the security manager does not allow what is needed
   * @throws IOException the factory cannot be put in place
   */
  static void start(String arguments, Instrumentation instrumentation) throws IOException {
    Privileged.check();
    DefaultLogLevel.prepare("WARNING");
    ClientConfig config =
        ClientConfig.fromAgentArguments(arguments, System.getProperties(), System.getenv());
    Rmigate rmigate = Rmigate.with(config, RMISocketFactory.getDefaultSocketFactory());
    AnnouncingSocketFactory announcing =
        new AnnouncingSocketFactory(rmigate.socketFactory(), config);
    announcing.installedIn(DefaultFactorySlot.install(announcing, instrumentation));
    rmigate.openDoor();
    if (!config.exports().isEmpty() && config.callbacksHostname() == CallbacksHostname.JVM) {
      FirstExport.watch(instrumentation, () -> Privileged.run(rmigate::prepareExports));
    }
  }
}
