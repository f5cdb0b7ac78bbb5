package io.rmigate.gateway.standalone;

import io.rmigate.gateway.LiveConfiguration;
import io.rmigate.gateway.config.GatewayConfig;
import io.rmigate.gateway.config.QuickFlags;
import io.rmigate.gateway.edge.GatewayVersion;
import io.rmigate.gateway.policy.rule.LearningLog;
import io.rmigate.gateway.problem.ConfigException;
import io.rmigate.gateway.problem.ConfigProblem;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command line of the stand-alone gateway. */
@Command(
    name = "rmigate",
    description = "HTTPS gateway for Java RMI.",
    sortOptions = false,
    mixinStandardHelpOptions = true,
    usageHelpAutoWidth = true,
    versionProvider = Standalone.Version.class,
    exitCodeListHeading = Standalone.EXIT_CODES,
    exitCodeList = {
      "0:The command succeeded, or the gateway was stopped.",
      "1:The gateway failed, for example because the port is taken.",
      "2:The command line or the configuration is wrong."
    },
    subcommands = {
      HashPasswordCommand.class,
      AuditCommand.class,
      PolicyCommand.class,
      LockoutsCommand.class,
      InstallCommand.class
    })
public final class Standalone implements Callable<Integer> {
  private static final Logger log = LoggerFactory.getLogger(Standalone.class);

  /** Wrong usage, a configuration that cannot be used, or files that cannot be judged. */
  static final int UNUSABLE = 2;

  /** Above what the exit codes of a command mean. */
  static final String EXIT_CODES = "%nExit codes:%n";

  @Spec private CommandSpec spec;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "Configuration file; instead of the flags below.")
  private Path config;

  @Option(
      names = "--check",
      description = "Check the configuration, print OK or every error, and end.")
  private boolean check;

  @Option(
      names = "--print-config",
      description = "Print a configuration file that is equivalent to the flags below, and end.")
  private boolean printConfig;

  @Mixin private QuickOptions quick = new QuickOptions();

  private final Runnable lastly;

  /** Prints the version of gateway and JVM. */
  static final class Version implements CommandLine.IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {
        "rmigate " + GatewayVersion.CURRENT,
        "Java "
            + System.getProperty("java.version")
            + " ("
            + System.getProperty("java.vendor")
            + ")"
      };
    }
  }

  private Standalone(Runnable lastly) {
    this.lastly = lastly;
  }

  /** Runs and ends the JVM. */
  public static void main(String[] args) {
    System.exit(run(args, () -> {}));
  }

  /**
   * Runs until the command is done, or, when it serves, until the JVM is told to stop.
   *
   * @param lastly runs at the very end of an orderly stop, in the shutdown hook
   * @return the exit code: 0, 1 it failed, or has found what it looks for, 2 it could not be used
   *     like that
   */
  public static int run(String[] args, Runnable lastly) {
    CommandLine commandLine = commandLine(lastly);
    // Rules and configurations that are printed are pasted into files, which are UTF-8.
    commandLine.setOut(new PrintWriter(System.out, true, StandardCharsets.UTF_8));
    return commandLine.execute(args);
  }

  static CommandLine commandLine(Runnable lastly) {
    CommandLine commandLine = new CommandLine(new Standalone(lastly));
    commandLine.setParameterExceptionHandler(
        (wrong, arguments) -> {
          CommandLine refusing = wrong.getCommandLine();
          PrintWriter err = refusing.getErr();
          if (wrong instanceof CommandLine.UnmatchedArgumentException) {
            err.println(wrong.getMessage());
            CommandLine.UnmatchedArgumentException.printSuggestions(wrong, err);
          } else {
            refusing.usage(err); // first: what is wrong stands where the reader looks
            err.println(wrong.getMessage());
          }
          err.flush();
          return UNUSABLE;
        });
    commandLine.setExecutionExceptionHandler(
        (failure, failed, result) -> {
          PrintWriter err = failed.getErr();
          if (failure instanceof ConfigException wrong) {
            for (ConfigProblem problem : wrong.problems()) {
              err.println(problem);
            }
            err.flush();
            return UNUSABLE;
          }
          if (failure instanceof IOException world) {
            err.println("rmigate: " + text(world));
            err.flush();
            log.debug("stopped by", failure);
            return failed.getCommandSpec().exitCodeOnExecutionException();
          }
          throw failure;
        });
    return commandLine;
  }

  /** A text for a failure; some exceptions of the JDK have only the name of the file. */
  private static String text(IOException failure) {
    if (failure instanceof NoSuchFileException missing) {
      return missing.getFile() + ": no such file";
    }
    if (failure instanceof AccessDeniedException denied) {
      return denied.getFile() + ": permission denied";
    }
    return failure.getMessage();
  }

  @Override
  public Integer call() throws ConfigException, IOException, InterruptedException {
    GatewayConfig loaded = load();
    if (check) {
      EmbeddedServer.check(loaded);
      LiveConfiguration.rulebook(loaded, LearningLog.NOTHING);
      spec.commandLine().getOut().println("OK");
      spec.commandLine().getOut().flush();
      return 0;
    }
    if (printConfig) {
      spec.commandLine().getOut().print(quick.flags().yaml());
      spec.commandLine().getOut().flush();
      return 0;
    }
    EmbeddedServer server = EmbeddedServer.start(loaded);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server), "rmigate-shutdown"));
    TerminationSignal.exitWithZero();
    spec.commandLine().getOut().println("rmigate ready " + server.uri());
    spec.commandLine().getOut().flush();
    // The shutdown hook stops the server and ends the JVM; this thread only keeps it alive. Were it
    // to wait for the server instead, it would go on while the hook takes the classes away.
    new CountDownLatch(1).await();
    return 0;
  }

  private GatewayConfig load() throws ConfigException {
    QuickFlags flags = quick.flags();
    if (config == null && !flags.isGiven()) {
      throw new CommandLine.ParameterException(
          spec.commandLine(),
          "Nothing to do: name a configuration file with --config FILE, or try it out with"
              + " --listen 127.0.0.1:8080 --insecure --anonymous --allow 'localhost:*'"
              + " --interfaces DIR");
    }
    if (config != null && flags.isGiven()) {
      throw new CommandLine.ParameterException(
          spec.commandLine(),
          "--config cannot be combined with flags that set configuration keys; put their values"
              + " into the file");
    }
    if (config != null && printConfig) {
      throw new CommandLine.ParameterException(
          spec.commandLine(), "--print-config prints a file made from flags; remove --config");
    }
    if (config == null) {
      return GatewayConfig.quick(flags);
    }
    return check
        ? GatewayConfig.check(config, System.getenv())
        : GatewayConfig.load(config, System.getenv());
  }

  /** Health says no, work in flight ends, connections close; in this order, each bounded. */
  private void stop(EmbeddedServer server) {
    try {
      server.bootstrap().drain(server.bootstrap().watcher().current().operation().drain());
      server.close();
      log.info("stopped");
    } catch (IOException | RuntimeException e) {
      log.error("the gateway did not stop cleanly", e);
    } finally {
      lastly.run();
    }
  }
}
