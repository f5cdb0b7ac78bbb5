package io.rmigate.gateway.standalone;

import io.rmigate.gateway.config.ConfigException;
import io.rmigate.gateway.config.GatewayConfig;
import io.rmigate.gateway.policy.LearnedNotes;
import io.rmigate.gateway.policy.LearnedRules;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code policy learned}: the rules that a gateway in mode learn has found to be needed. */
@Command(
    name = "policy",
    description = "What calls may carry, and what they do.",
    mixinStandardHelpOptions = true)
final class PolicyCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "what to do: policy learned");
  }

  @Command(
      name = "learned",
      mixinStandardHelpOptions = true,
      description = {
        "Print what a gateway has noted in mode learn, as lines of rmigate.yaml to paste.",
        "Read them first: what has passed is not always what should pass."
      })
  int learned(
      @Option(
              names = "--config",
              paramLabel = "FILE",
              description = "Its configuration, which says where it keeps its state.")
          Path config,
      @Option(
              names = "--state",
              paramLabel = "DIR",
              description = "Where it keeps its state, instead. Default .rmigate.")
          Path state)
      throws IOException, ConfigException {
    Path directory = state != null ? state : Path.of(".rmigate");
    if (config != null) {
      directory = GatewayConfig.load(config, System.getenv()).state();
    }
    List<LearnedNotes.Note> notes = LearnedNotes.read(directory.resolve(LearnedNotes.FILE));
    PrintWriter out = spec.commandLine().getOut();
    if (notes.isEmpty()) {
      out.println("# nothing has been learnt in " + directory.resolve(LearnedNotes.FILE));
    }
    out.print(LearnedRules.yaml(notes));
    out.flush();
    return 0;
  }
}
