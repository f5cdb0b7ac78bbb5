package io.rmigate.gateway.standalone;

import com.fasterxml.jackson.databind.JsonNode;
import io.rmigate.gateway.audit.AuditField;
import io.rmigate.gateway.audit.AuditFiles;
import io.rmigate.gateway.audit.AuditSettings;
import io.rmigate.gateway.config.GatewayConfig;
import io.rmigate.gateway.config.LearnedSections;
import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.policy.ClassProof;
import io.rmigate.gateway.policy.NotedTargets;
import io.rmigate.gateway.policy.Refusal;
import io.rmigate.gateway.policy.Rulebook;
import io.rmigate.gateway.policy.rule.ClassMode;
import io.rmigate.gateway.policy.rule.ClassSettings;
import io.rmigate.gateway.policy.rule.JsonLines;
import io.rmigate.gateway.policy.rule.LearnedNotes;
import io.rmigate.gateway.policy.rule.LearnedPolicy;
import io.rmigate.gateway.policy.rule.LearningLog;
import io.rmigate.gateway.policy.rule.Objection;
import io.rmigate.gateway.policy.rule.RequiredPermissions;
import io.rmigate.gateway.problem.ConfigException;
import io.rmigate.gateway.relay.address.OwnAddresses;
import io.rmigate.gateway.route.TargetPolicy;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code policy explain}: what was refused under a number. {@code policy learned}: the rules that a
 * gateway in mode learn has found to be needed. {@code policy test}: what a configuration would
 * make of what was noted then, or of what an audit has kept.
 */
@Command(
    name = "policy",
    description = "Explain refusals, print learnt rules, or test a configuration.",
    mixinStandardHelpOptions = true)
final class PolicyCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "missing command: policy learned, policy test, or policy explain");
  }

  @Command(
      name = "learned",
      mixinStandardHelpOptions = true,
      description = {
        "Print the rules that a gateway has noted in mode learn, as the sections classes and"
            + " targets"
            + " of rmigate.yaml, and callbacks if they are needed and not permitted yet. Replace"
            + " those sections by them.",
        "Read the rules first: not all that has passed should pass. Calls that passed, and that the"
            + " rules do not permit, are listed on standard error, with the reason."
      },
      exitCodeListHeading = Standalone.EXIT_CODES,
      exitCodeList = {
        "0:The rules are printed and permit all that passed, or there are none.",
        "1:The rules are printed but incomplete: standard error says what is missing.",
        "2:The command line or the configuration is wrong, or notes cannot be read."
      },
      exitCodeOnExecutionException = Standalone.UNUSABLE)
  int learned(
      @Option(
              names = "--config",
              paramLabel = "FILE",
              description = "The gateway's configuration, which names the directory of its state.")
          Path config,
      @Option(
              names = "--state",
              paramLabel = "DIR",
              description =
                  "The directory of its state, if --config does not name it. Default .rmigate.")
          Path state,
      @Option(
              names = "--interfaces",
              paramLabel = "DIR",
              description =
                  "The directory with the jars of the remote interfaces, if --config does not name"
                      + " it: as given to a gateway that was started with --learn --interfaces.")
          Path interfaces)
      throws IOException, ConfigException {
    Path directory = Path.of(".rmigate");
    ClassSettings settings = ClassSettings.DEFAULT;
    Optional<GatewayConfig> loaded = Optional.empty();
    if (config != null) {
      loaded = Optional.of(GatewayConfig.load(config, System.getenv()));
      directory = loaded.get().operation().state();
      settings = loaded.get().policy().classes();
    }
    if (state != null) {
      directory = state;
    }
    if (interfaces != null) {
      settings = settings.withInterfaces(config == null ? interfaces : interfaces.toAbsolutePath());
    }
    Path file = directory.resolve(LearnedNotes.FILE);
    Set<LearnedNotes.Note> notes = new LinkedHashSet<>();
    String why = "";
    try {
      read(file, line -> notes.add(LearnedNotes.note(line)));
    } catch (NoSuchFileException nothingLearnt) {
      why = ": there is no such file; name the gateway's state with --config or --state";
    }
    PrintWriter out = spec.commandLine().getOut();
    if (notes.isEmpty()) {
      out.println("# nothing has been learnt in " + file + why);
    }
    LearnedPolicy learnt = Rulebook.of(settings, LearningLog.NOTHING).learnt(List.copyOf(notes));
    LearnedSections sections = LearnedSections.of(learnt, loaded, OwnAddresses::towards);
    out.print(sections.yaml());
    out.flush();
    List<String> missing = new ArrayList<>();
    sections.gaps().forEach(gap -> missing.add(gap.line()));
    missing.addAll(new PastedRules(learnt, sections.yaml(), loaded).refusals());
    PrintWriter err = spec.commandLine().getErr();
    if (!missing.isEmpty()) {
      err.println("rmigate: these rules refuse some calls that passed while learning:");
    }
    missing.forEach(line -> err.println("  " + line));
    err.flush();
    return missing.isEmpty() ? 0 : 1;
  }

  /** A gateway that writes it need not be stopped. */
  private void read(Path file, JsonLines.Reader reader) throws IOException {
    if (JsonLines.read(file, reader)) {
      PrintWriter err = spec.commandLine().getErr();
      err.println("rmigate: the last line of " + file + " is incomplete, and was skipped");
      err.flush();
    }
  }

  @Command(
      name = "explain",
      mixinStandardHelpOptions = true,
      description = {
        "Print what was refused under the number in a client's exception or in the log, why, and"
            + " the lines of the configuration that allow it. This needs the audit (audit.path).",
        "Or print for a class of the jars whether it is proven harmless, so that it may stand"
            + " anywhere in a message; if not, the calls by which reading its objects may do harm."
      },
      exitCodeListHeading = Standalone.EXIT_CODES,
      exitCodeList = {
        "0:The explanation is printed.",
        "1:There is no audit, or no such refusal in it; the class is not proven harmless.",
        "2:The command line or the configuration is wrong, or a file cannot be read."
      },
      exitCodeOnExecutionException = Standalone.UNUSABLE)
  int explain(
      @Option(
              names = "--refusal",
              paramLabel = "NUMBER",
              description = "The number of a refusal: six characters, such as N7K2QX.")
          String number,
      @Option(
              names = "--class",
              paramLabel = "NAME",
              description = "A class of the jars, such as com.acme.Order.")
          String className,
      @Option(
              names = "--interfaces",
              paramLabel = "DIR",
              description = "The directory with the jars, if the configuration does not name it.")
          Path interfaces,
      @Option(
              names = "--config",
              paramLabel = "FILE",
              description =
                  "The configuration, which names the audit and the jars. Default rmigate.yaml.")
          Path config,
      @Option(
              names = "--audit",
              paramLabel = "FILE",
              description = "The audit file, if --config does not name it.")
          Path audit)
      throws IOException, ConfigException {
    if ((number == null) == (className == null)) {
      throw new ParameterException(
          spec.commandLine(), "missing option: --refusal NUMBER or --class NAME, one of them");
    }
    if (className != null) {
      return explainClass(className, config, interfaces);
    }
    String wanted = number.toUpperCase(Locale.ROOT);
    if (!Refusal.isNumber(wanted)) {
      throw new ParameterException(
          spec.commandLine(), "expected six characters such as N7K2QX, got " + number);
    }
    PrintWriter out = spec.commandLine().getOut();
    Optional<Path> path = Optional.ofNullable(audit);
    if (path.isEmpty()) {
      Path file = config == null ? Path.of("rmigate.yaml") : config;
      path = GatewayConfig.load(file, System.getenv()).operation().audit().map(AuditSettings::path);
      if (path.isEmpty()) {
        out.println(
            file
                + " has no audit, so refusals are only in the log: search it for "
                + wanted
                + "; add \"audit: {path: audit.jsonl}\" and restart the gateway to keep refusals");
        out.flush();
        return 1;
      }
    }
    List<Path> files = AuditFiles.of(path.get());
    List<JsonNode> found = new ArrayList<>();
    for (Path file : files) {
      read(
          file,
          line -> {
            if (line.path(AuditField.REFUSAL.key()).asText("").equals(wanted)) {
              found.add(line);
            }
          });
    }
    if (found.isEmpty()) {
      out.println(
          files.isEmpty()
              ? "there is no audit: no file " + path.get()
              : "there is no refusal " + wanted + " in " + path.get() + " and the files before it");
    }
    for (JsonNode line : found) {
      RefusalReport report = new RefusalReport(line);
      if (report.needsRegistries()) {
        for (Path file : files) {
          read(file, report::addLookup);
        }
      }
      report.lines().forEach(out::println);
    }
    out.flush();
    return found.isEmpty() ? 1 : 0;
  }

  private int explainClass(String className, Path config, Path interfaces)
      throws IOException, ConfigException {
    ClassSettings settings = ClassSettings.DEFAULT;
    if (interfaces == null || config != null) {
      Path file = config == null ? Path.of("rmigate.yaml") : config;
      settings = GatewayConfig.load(file, System.getenv()).policy().classes();
    }
    if (interfaces != null) {
      settings = settings.withInterfaces(interfaces);
    }
    if (settings.interfaces().isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "the configuration names no jars; name them with --interfaces DIR");
    }
    ClassProof proof = ClassProof.of(settings, className);
    PrintWriter out = spec.commandLine().getOut();
    proof.lines().forEach(out::println);
    out.flush();
    return proof.isProven() ? 0 : 1;
  }

  @Command(
      name = "test",
      mixinStandardHelpOptions = true,
      description = {
        "Print what a configuration would do with each line that a gateway has noted in mode learn"
            + " (learned.jsonl), or with each kind of call in its audit (audit.jsonl). An audit has"
            + " targets, registry operations, names, methods and sizes. It does not have what calls"
            + " carried, except the class or reference for which a call was refused."
      },
      exitCodeListHeading = Standalone.EXIT_CODES,
      exitCodeList = {
        "0:Nothing that passed then would be refused.",
        "1:Something that passed then would be refused.",
        "2:The command line or the configuration is wrong, or CAPTURE cannot be read."
      },
      exitCodeOnExecutionException = Standalone.UNUSABLE)
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
              description =
                  "Judge for this principal, or for a member of group:NAME. Without it, for the"
                      + " principal that called.")
          String name,
      @Parameters(paramLabel = "CAPTURE", description = "The file learned.jsonl or audit.jsonl.")
          Path capture)
      throws IOException, ConfigException {
    GatewayConfig loaded = GatewayConfig.load(config, System.getenv());
    Rulebook rulebook = Rulebook.of(loaded.policy().classes(), LearningLog.NOTHING);
    TargetPolicy policy =
        new TargetPolicy(
            loaded.policy().targets(), loaded.policy().raw(), loaded.policy().mapping(), rulebook);
    AuditedTraffic traffic = new AuditedTraffic(policy, Optional.ofNullable(name));
    Set<LearnedNotes.Note> notes = new LinkedHashSet<>();
    Map<AuditedTraffic.Judged, Long> calls = new LinkedHashMap<>();
    read(
        capture,
        line -> {
          if (AuditedTraffic.isOne(line)) {
            traffic.judge(line).ifPresent(call -> calls.merge(call, 1L, Long::sum));
          } else {
            notes.add(LearnedNotes.note(line));
          }
        });
    PrintWriter out = spec.commandLine().getOut();
    if (notes.isEmpty() && calls.isEmpty()) {
      out.println(capture + " has no calls to judge");
    }
    int refused = 0;
    int unsure = 0;
    NotedTargets targets =
        new NotedTargets(
            notes,
            (who, target, registries) -> policy.rules(caller(name, who), target, registries));
    for (LearnedNotes.Note note : notes) {
      Principal caller = caller(name, note.principal());
      boolean refuses = policy.refuses(caller, note, () -> targets.rules(note));
      refused += refuses ? 1 : 0;
      out.printf(
          "%s %s %s at %s by %s%s%n",
          refuses ? "refused" : "allowed",
          note.rule(),
          note.subject(),
          Objection.printable(note.target()),
          Objection.printable(caller.name()),
          refuses ? advice(note, targets) : "");
    }
    if (rulebook.mode() == ClassMode.ENFORCE && rulebook.lacksJars(notes)) {
      refused++;
      out.println(
          "refused the methods and classes of the jars with which the notes were taken: name the"
              + " same"
              + " jars in classes.interfaces");
    }
    for (Map.Entry<AuditedTraffic.Judged, Long> call : calls.entrySet()) {
      refused += call.getKey().isLost() ? 1 : 0;
      unsure += call.getKey().needsRegistry() ? 1 : 0;
      out.printf("%s [%d times]%n", call.getKey(), call.getValue());
    }
    out.printf(
        "%d refused%s%n",
        refused,
        unsure == 0
            ? ""
            : ", and " + unsure + " allowed only if a registry names their targets: see above");
    out.flush();
    return refused == 0 ? 0 : 1;
  }

  /** How it could be allowed; nothing of what no line of an entry is about. */
  private static String advice(LearnedNotes.Note note, NotedTargets targets) {
    Objection objection = new Objection(note.rule(), note.subject(), note.remedy());
    if (!note.remedy().isEmpty()) {
      return ": " + targets.rules(note).advice(objection);
    }
    return note.rule() == Objection.Rule.TARGET
        ? ": " + RequiredPermissions.target(note.subject()).advice()
        : "";
  }

  /**
   * The caller.
   *
   * @param as by option; null: who it was then
   */
  private static Principal caller(String as, String then) {
    return as == null ? new Principal(then, Principal.Scheme.CONTAINER) : Principal.listed(as);
  }
}
