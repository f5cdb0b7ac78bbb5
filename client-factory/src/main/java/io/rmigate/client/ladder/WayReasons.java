package io.rmigate.client.ladder;

import io.rmigate.client.config.Way;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Texts that say why a way was taken. */
final class WayReasons {
  /** Reason of a winner that was tried alone. */
  static final String UNCONTESTED = "it answers";

  private WayReasons() {}

  /** Why the ways before the winner have not won. */
  static String of(Race.Result<?> result, Duration stagger, Function<Way, String> name) {
    String others =
        Stream.concat(
                result.failures().entrySet().stream().map(each -> failure(each, name)),
                result.overtaken().stream()
                    .map(
                        way ->
                            name.apply(way)
                                + ": no answer within "
                                + stagger.toMillis()
                                + " ms, nor before this one"))
            .collect(Collectors.joining("; "));
    return others.isEmpty() ? UNCONTESTED : others;
  }

  /** Failures of all ways, for the message of an exception. */
  static String all(List<Way> ways, Map<Way, IOException> failures, Function<Way, String> name) {
    return ways.stream()
        .filter(failures::containsKey)
        .map(way -> failure(Map.entry(way, failures.get(way)), name))
        .collect(Collectors.joining("; "));
  }

  private static String failure(Map.Entry<Way, IOException> failed, Function<Way, String> name) {
    IOException cause = failed.getValue();
    String words = cause.getMessage() == null ? cause.toString() : cause.getMessage();
    return name.apply(failed.getKey()) + ": " + words;
  }
}
