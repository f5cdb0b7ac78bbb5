package io.rmigate.perf.harness;

import java.io.IOException;
import java.util.List;
import java.util.function.Function;

/**
 * The frame of a command's main method.
 *
 * @param <O> the command's options
 */
@FunctionalInterface
public interface Program<O> {

  /**
   * Measures.
   *
   * @param shown the command as the user gave it
   * @return whether the exit code is 0
   */
  boolean run(O options, String shown) throws IOException;

  /**
   * Runs a program and ends the JVM. Exit codes: 0 and 1 as the program says; 1 if it fails; 2 for
   * wrong usage.
   *
   * @param name of the script in {@code perf}
   */
  static <O> void main(
      String name, String[] args, Function<String[], O> parser, Program<O> program) {
    O options;
    try {
      options = parser.apply(args);
    } catch (IllegalArgumentException e) {
      System.err.println(name + ": " + e.getMessage() + "; see --help");
      System.exit(2);
      return;
    }
    List<String> given =
        List.of(args).subList(Math.min(WorkingTree.WORDS, args.length), args.length);
    boolean succeeded = false;
    try {
      succeeded = program.run(options, "perf/" + name + " " + String.join(" ", given));
    } catch (IOException | RuntimeException e) {
      System.err.println(name + ": " + e);
      e.printStackTrace();
    }
    System.exit(succeeded ? 0 : 1);
  }
}
