package io.rmigate.gateway.standalone;

import io.rmigate.gateway.testing.GeneratedPart;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The page about the command line lists all flags, commands and exit codes. */
class CommandLineReferenceTest {
  private static final String PAGE = "reference/command-line.md";
  private static final List<String> EVERYWHERE = List.of("--help", "--version");

  @Test
  void thePageListsAllFlagsCommandsAndExitCodes() throws Exception {
    CommandLine gateway = Standalone.commandLine(() -> {});
    GeneratedPart.assertEqual(PAGE, "flags", body(gateway.getCommandSpec()));
    GeneratedPart.assertEqual(
        PAGE,
        "commands",
        gateway.getSubcommands().values().stream()
            .flatMap(CommandLineReferenceTest::leaves)
            .sorted(Comparator.comparing(CommandSpec::qualifiedName))
            .map(CommandLineReferenceTest::section)
            .collect(Collectors.joining("\n")));
  }

  private static Stream<CommandSpec> leaves(CommandLine command) {
    Map<String, CommandLine> below = command.getSubcommands();
    return below.isEmpty()
        ? Stream.of(command.getCommandSpec())
        : below.values().stream().flatMap(CommandLineReferenceTest::leaves);
  }

  private static String section(CommandSpec command) {
    String name = command.qualifiedName().replaceFirst("^rmigate ", "");
    String description = GeneratedPart.paragraph(text(command.usageMessage().description()));
    return "### " + name + "\n\n" + description + "\n" + body(command);
  }

  private static String body(CommandSpec command) {
    Stream<String> positionals =
        command.positionalParameters().stream().map(each -> item(each.paramLabel(), each));
    Stream<String> options =
        command.options().stream()
            .filter(option -> !EVERYWHERE.contains(option.longestName()))
            .map(option -> item(option.longestName() + label(option), option));
    Stream<String> codes =
        command.usageMessage().exitCodeList().entrySet().stream()
            .map(code -> GeneratedPart.item("exit code " + code.getKey() + ": " + code.getValue()));
    return Stream.of(positionals, options, codes)
        .flatMap(lines -> lines)
        .collect(Collectors.joining());
  }

  private static String label(OptionSpec option) {
    if (option.arity().max() == 0) {
      return "";
    }
    return option.arity().min() == 0 ? "[=" + option.paramLabel() + "]" : "=" + option.paramLabel();
  }

  private static String item(String name, ArgSpec argument) {
    return GeneratedPart.item("`" + name + "`: " + text(argument.description()));
  }

  private static String text(String... lines) {
    return String.join(" ", lines).replace("%n", " ").replace("%%", "%");
  }
}
