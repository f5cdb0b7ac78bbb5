package io.rmigate.gateway.scan.proof;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The publicly known chains of {@code chains/chains.txt}, and where their libraries are. */
public final class KnownChains {
  private static final int COLUMNS = 5;

  /**
   * A chain.
   *
   * @param jars file names without {@code .jar}; the library first
   * @param needed classes that a stream cannot do without
   * @param trigger what sets it off
   * @param sinks by class that does the harm: words of the last line of its reason
   */
  public record Chain(
      String name,
      List<String> jars,
      List<String> needed,
      String trigger,
      Map<String, String> sinks) {
    @Override
    public String toString() {
      return name;
    }

    /** Where its libraries are, if the build has brought them. */
    public List<Path> files() {
      return jars.stream().map(jar -> directory().resolve(jar + ".jar")).toList();
    }

    /** Whether all are there. */
    public boolean isThere() {
      return files().stream().allMatch(Files::exists);
    }
  }

  private KnownChains() {}

  /** The directory to which the build copies the libraries. */
  public static Path directory() {
    return Path.of(System.getProperty("rmigate.test.chains", "target/chains")).toAbsolutePath();
  }

  /** All chains. */
  public static List<Chain> all() throws IOException {
    List<Chain> all = new ArrayList<>();
    try (InputStream file = KnownChains.class.getResourceAsStream("/chains/chains.txt");
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(file, StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (!line.isBlank() && !line.startsWith("#")) {
          all.add(chain(line));
        }
      }
    }
    return all;
  }

  private static Chain chain(String line) {
    String[] columns = line.split(" \\|", -1);
    if (columns.length != COLUMNS) {
      throw new IllegalArgumentException("not " + COLUMNS + " columns: " + line);
    }
    Map<String, String> sinks = new LinkedHashMap<>();
    for (String sink : columns[4].split(";", -1)) {
      if (!sink.isBlank()) {
        String[] words = sink.strip().split("=", 2);
        sinks.put(words[0], words[1]);
      }
    }
    return new Chain(
        columns[0].strip(), words(columns[1]), words(columns[2]), columns[3].strip(), sinks);
  }

  private static List<String> words(String column) {
    return Arrays.asList(column.strip().split(" ", -1));
  }
}
