package io.rmigate.client.program.command;

import io.rmigate.client.jvm.DefaultLogLevel;
import io.rmigate.client.program.doctor.DoctorCommand;
import io.rmigate.client.program.doctor.LsCommand;
import io.rmigate.client.program.sidecar.SidecarCommand;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The program in the client's jar. Exit codes: 0 done, 1 it failed, 2 it was not understood; those
 * of the doctor are its own.
 */
public final class Main {
  private static final int NOT_UNDERSTOOD = 2;

  private static final String USAGE =
      """
      usage: java -jar rmigate-client.jar COMMAND [options]

        sidecar     carries RMI of other JVMs on this machine through a gateway
        doctor      tests which ways lead to an RMI server, and reports problems and their solution
        ls          lists the names that are bound in a registry
        call        calls a method of a bound object
        jmx         reads an attribute of an MBean
        --version
        --help      of a command: java -jar rmigate-client.jar sidecar --help

      As a javaagent of the application's JVM: -javaagent:rmigate-client.jar=https://gateway.example/rmigate
      """;

  private Main() {}

  /** See {@link #USAGE}. */
  public static void main(String[] arguments) throws InterruptedException {
    int code = run(Arrays.asList(arguments));
    System.out.flush();
    System.exit(code);
  }

  private static int run(List<String> arguments) throws InterruptedException {
    String command = arguments.isEmpty() ? "" : arguments.get(0);
    switch (command) {
      case "sidecar" -> {
        return SidecarCommand.run(behind(arguments), self("sidecar"), System.out, System.err);
      }
      case "doctor" -> {
        DefaultLogLevel.apply("OFF"); // the report says it in words of its own
        return DoctorCommand.run(behind(arguments), self("doctor"), System.out, System.err);
      }
      case "ls" -> {
        DefaultLogLevel.apply("WARNING");
        return LsCommand.run(behind(arguments), self("ls"), System.out, System.err);
      }
      case "call" -> {
        DefaultLogLevel.apply("WARNING");
        return new CallCommand().run(behind(arguments), System.out, System.err);
      }
      case "jmx" -> {
        DefaultLogLevel.apply("WARNING");
        return new JmxCommand().run(behind(arguments), System.out, System.err);
      }
      case "--help", "help" -> {
        System.out.print(USAGE);
        return 0;
      }
      case "--version" -> {
        System.out.println("rmigate " + version());
        return 0;
      }
      default -> {
        System.err.println(
            arguments.isEmpty()
                ? "rmigate: no command"
                : "rmigate: unknown command '" + command + "'");
        System.err.print(USAGE);
        return NOT_UNDERSTOOD;
      }
    }
  }

  private static List<String> behind(List<String> arguments) {
    return arguments.subList(1, arguments.size());
  }

  /** The properties by which a command describes itself to a gateway. */
  private static Map<String, String> self(String command) {
    return Map.of(
        "client", "rmigate " + command + " " + version() + ", Java " + Runtime.version().feature());
  }

  private static String version() {
    return Optional.ofNullable(Main.class.getPackage().getImplementationVersion())
        .orElse("unpackaged");
  }
}
