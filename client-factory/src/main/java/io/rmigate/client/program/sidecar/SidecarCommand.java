package io.rmigate.client.program.sidecar;

import io.rmigate.client.config.ClientConfigException;
import io.rmigate.client.config.ConfigKey;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/**
 * {@code java -jar rmigate-client.jar sidecar …}: starts a {@link Sidecar}, says where it listens,
 * and serves until the process is ended.
 */
public final class SidecarCommand {
  private static final int FAILED = 1;
  private static final int UNUSABLE = 2;

  private SidecarCommand() {}

  /**
   * Runs it; returns when it could not be started or only help was asked for, else never.
   *
   * @param arguments behind {@code sidecar}
   * @param self what the agent says of itself at the gateway
   * @return the exit code
   */
  public static int run(
      List<String> arguments, Map<String, String> self, PrintStream out, PrintStream err)
      throws InterruptedException {
    if (arguments.contains("--help")) {
      out.print(SidecarOptions.HELP + ConfigKey.help());
      return 0;
    }
    SidecarOptions options;
    try {
      options = SidecarOptions.parse(arguments, System.getProperties(), System.getenv());
    } catch (ClientConfigException e) {
      err.println("rmigate sidecar: " + e.getMessage());
      return UNUSABLE;
    }
    Sidecar sidecar = new Sidecar(options, self);
    String gateways = options.config().gatewayList();
    sidecar.whenLinked(() -> out.println("rmigate sidecar linked to " + gateways));
    Thread end = new Thread(() -> end(sidecar), "rmigate-end");
    Runtime.getRuntime().addShutdownHook(end);
    try {
      listen(sidecar, options, out, err);
      if (!options.reverses().isEmpty()) {
        reverse(sidecar, gateways, out, err);
      }
    } catch (IOException e) {
      if (cancel(end)) {
        err.println("rmigate sidecar: " + e.getMessage());
        sidecar.close();
      }
      return FAILED;
    }
    out.println("rmigate sidecar ready");
    if (options.reverses().isEmpty() && !link(sidecar)) {
      err.println(
          "rmigate sidecar: no link to "
              + gateways
              + " yet; the next client triggers another"
              + " attempt");
    }
    new CountDownLatch(1).await();
    return 0;
  }

  private static boolean link(Sidecar sidecar) {
    try {
      sidecar.link();
      return true;
    } catch (IOException notYet) {
      return false;
    }
  }

  /** A gateway that is there must listen; one that is not will be asked when it is. */
  private static void reverse(Sidecar sidecar, String gateways, PrintStream out, PrintStream err)
      throws IOException {
    Consumer<String> hears = line -> out.println("rmigate sidecar reverse " + line);
    if (link(sidecar)) {
      sidecar.reverse(hears);
    } else {
      err.println(
          "rmigate sidecar: no link to "
              + gateways
              + " yet: servers behind the gateway cannot reach the JVMs here until there is one");
      sidecar.reverseLater(hears);
    }
  }

  private static void listen(
      Sidecar sidecar, SidecarOptions options, PrintStream out, PrintStream err)
      throws IOException {
    if (options.listen().isPresent()) {
      InetSocketAddress address = listen(sidecar, options.listen().get(), err);
      out.println("rmigate sidecar listens on " + text(address) + " (SOCKS)");
    }
    for (Forward forward : options.forwards()) {
      warnOfOthers(forward.listen(), err);
      try {
        InetSocketAddress address = sidecar.listen(forward);
        out.println("rmigate sidecar listens on " + text(address) + " for " + forward.target());
      } catch (IOException taken) {
        throw new IOException(text(forward.listen()) + ": " + taken.getMessage(), taken);
      }
    }
  }

  private static InetSocketAddress listen(
      Sidecar sidecar, InetSocketAddress address, PrintStream err) throws IOException {
    warnOfOthers(address, err);
    try {
      return sidecar.listen(address);
    } catch (IOException taken) {
      throw new IOException(text(address) + ": " + taken.getMessage(), taken);
    }
  }

  private static void warnOfOthers(InetSocketAddress address, PrintStream err) {
    if (!address.getAddress().isLoopbackAddress()) {
      err.println(
          "rmigate sidecar: warning: "
              + text(address)
              + " accepts connections from other machines, in plain text; every permitted client"
              + " acts with this sidecar's login");
    }
  }

  private static String text(InetSocketAddress address) {
    String host = address.getAddress().getHostAddress();
    return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + address.getPort();
  }

  /** Whether that was possible: if not, the process is ending already, and will do so in order. */
  private static boolean cancel(Thread end) {
    try {
      return Runtime.getRuntime().removeShutdownHook(end);
    } catch (IllegalStateException ending) {
      return false;
    }
  }

  /** SIGTERM and SIGINT are the usual way to end it, and no failure. */
  private static void end(Sidecar sidecar) {
    sidecar.close();
    Runtime.getRuntime().halt(0);
  }
}
