package io.rmigate.gateway.standalone;

import io.rmigate.gateway.config.ConfigException;
import io.rmigate.gateway.config.GatewayConfig;
import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.policy.Learned;
import io.rmigate.gateway.policy.LearnedNotes;
import io.rmigate.gateway.policy.LearnedRules;
import io.rmigate.gateway.policy.Rulebook;
import io.rmigate.gateway.session.TargetPolicy;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code policy learned}: the rules that a gateway in mode learn has found to be needed. {@code
 * policy test}: what a configuration would make of what was noted then.
 */
@Command(
    name = "policy",
    description = "What calls may carry, and what they do.",
    mixinStandardHelpOptions = true)
final class PolicyCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "what to do: policy learned, or policy test");
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

  @Command(
      name = "test",
      mixinStandardHelpOptions = true,
      description = {
        "Say of each line that a gateway has noted in mode learn whether a configuration allows it to"
            + " somebody.",
        "Ends with 1 if something is refused."
      })
  int test(
      @Option(
              names = "--config",
              paramLabel = "FILE",
              required = true,
              description = "The configuration with the policy.")
          Path config,
      @Option(
              names = "--as",
              paramLabel = "NAME",
              required = true,
              description = "The principal, whoever it was then.")
          String name,
      @Parameters(paramLabel = "NOTES", description = "The learned.jsonl of a gateway's state.")
          Path notes)
      throws IOException, ConfigException {
    GatewayConfig loaded = GatewayConfig.load(config, System.getenv());
    TargetPolicy policy =
        new TargetPolicy(
            loaded.targets(),
            loaded.raw(),
            loaded.mapping(),
            Rulebook.of(loaded.classes(), Learned.NOTHING));
    Principal principal = new Principal(name, Principal.Scheme.CONTAINER);
    PrintWriter out = spec.commandLine().getOut();
    int refused = 0;
    for (LearnedNotes.Note note : LearnedNotes.read(notes)) {
      boolean refuses = policy.rules(principal, note.target()).refuses(note);
      refused += refuses ? 1 : 0;
      out.printf(
          "%s %s %s at %s%n",
          refuses ? "refused" : "allowed", note.rule(), note.subject(), note.target());
    }
    out.printf("%d refused%n", refused);
    out.flush();
    return refused == 0 ? 0 : 1;
  }
}
