package io.rmigate.gateway.standalone;

import io.rmigate.gateway.login.PasswordHash;
import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code hash-password}: makes a line for the users file. */
@Command(
    name = "hash-password",
    description =
        "Read a password from the terminal, or the first line of standard input, and print the"
            + " line NAME:HASH for the users file.",
    mixinStandardHelpOptions = true)
final class HashPasswordCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "NAME",
      arity = "0..1",
      defaultValue = "NAME",
      description = "The user's name. Without it the line begins with NAME, to be replaced.")
  private String name;

  @Override
  public Integer call() throws IOException {
    if (name.isBlank() || name.indexOf(':') >= 0 || name.startsWith("#")) {
      throw new ParameterException(
          spec.commandLine(), "a user's name must not be empty, contain a colon or begin with #");
    }
    char[] password = read();
    if (password.length == 0) {
      throw new ParameterException(spec.commandLine(), "the password is empty");
    }
    String line = name + ":" + PasswordHash.of(password);
    Arrays.fill(password, '\0');
    spec.commandLine().getOut().println(line);
    spec.commandLine().getOut().flush();
    return 0;
  }

  private static char[] read() throws IOException {
    Console console = System.console();
    if (isTerminal(console)) {
      char[] password = console.readPassword("Password: ");
      return password == null ? new char[0] : password;
    }
    String line =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
    return line == null ? new char[0] : line.toCharArray();
  }

  /** Up to JDK 21 there is no console without a terminal; since JDK 22 there is, and it says so. */
  @SuppressWarnings("SystemConsoleNull")
  private static boolean isTerminal(Console console) {
    if (console == null) {
      return false;
    }
    try {
      return (boolean) Console.class.getMethod("isTerminal").invoke(console);
    } catch (ReflectiveOperationException e) {
      return true;
    }
  }
}
