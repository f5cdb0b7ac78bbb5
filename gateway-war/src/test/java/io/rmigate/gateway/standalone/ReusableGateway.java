package io.rmigate.gateway.standalone;

import io.rmigate.gateway.config.GatewayConfig;
import io.rmigate.gateway.problem.ConfigException;
import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The stand-alone gateway as a program that can run again in the same JVM: it stops when its
 * standard input ends, and not by a signal. The first argument is a configuration file; any others
 * are a command of the gateway.
 */
public final class ReusableGateway {
  private ReusableGateway() {}

  /** Completes what describes a JVM; the arguments are those of {@link #run}. */
  public static ChildJvm.Builder in(ChildJvm.Builder jvm, String... arguments) {
    return jvm.reusableWithClasses()
        .classPath(BuiltArtefacts.gatewayClassPath())
        .classPath(BuiltArtefacts.codeSource(ReusableGateway.class))
        .main(ReusableGateway.class.getName())
        .arguments(arguments);
  }

  /** Returns the exit code. */
  public static int run(String[] arguments) throws IOException {
    return arguments.length == 1
        ? serve(Path.of(arguments[0]))
        : Standalone.run(arguments, () -> {});
  }

  private static int serve(Path configuration) throws IOException {
    try (EmbeddedServer server =
        EmbeddedServer.start(GatewayConfig.load(configuration, System.getenv()))) {
      System.out.println("rmigate ready " + server.uri());
      while (System.in.read() >= 0) {
        // It takes no commands.
      }
      server.bootstrap().drain(server.bootstrap().watcher().current().operation().drain());
      return 0;
    } catch (ConfigException wrong) {
      wrong.problems().forEach(System.err::println);
      return 2;
    }
  }
}
