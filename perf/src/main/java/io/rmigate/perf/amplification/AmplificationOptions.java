package io.rmigate.perf.amplification;

import io.rmigate.perf.harness.Arguments;

/**
 * How long is measured.
 *
 * @param rounds of which medians are taken
 * @param roundMillis of each, and a request more
 * @param warmUpMillis of work before the first
 * @param only requests whose names have this in them
 */
record AmplificationOptions(int rounds, int roundMillis, int warmUpMillis, String only) {
  private static final AmplificationOptions DEFAULTS = new AmplificationOptions(7, 200, 2_000, "");

  static AmplificationOptions parse(String... words) {
    AmplificationOptions options = DEFAULTS;
    Arguments arguments = new Arguments(words);
    while (arguments.next()) {
      options =
          switch (arguments.word()) {
            case "--rounds" -> options.with(arguments.positive(), options.roundMillis());
            case "--round" -> options.with(options.rounds(), arguments.positive());
            case "--warm-up" ->
                new AmplificationOptions(
                    options.rounds(), options.roundMillis(), arguments.positive(), options.only());
            case "--only" ->
                new AmplificationOptions(
                    options.rounds(),
                    options.roundMillis(),
                    options.warmUpMillis(),
                    arguments.value());
            default -> throw arguments.unknown();
          };
    }
    return options;
  }

  private AmplificationOptions with(int otherRounds, int otherMillis) {
    return new AmplificationOptions(otherRounds, otherMillis, warmUpMillis, only);
  }
}
