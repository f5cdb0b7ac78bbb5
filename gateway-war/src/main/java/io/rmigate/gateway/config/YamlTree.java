package io.rmigate.gateway.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import io.rmigate.gateway.problem.ConfigProblem;
import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Reads YAML into {@link ConfigNode}s. Jackson's data binding stops at the first error and names
 * Java types in it; the token stream with its line numbers is all that is wanted here.
 *
 * <p>Aliases are refused: they make the line of an error ambiguous, and an unquoted {@code *:*} is
 * one by accident.
 */
final class YamlTree {
  private static final int MAX_DEPTH = 16;
  private static final Pattern LINE = Pattern.compile("in 'reader', line (\\d+), column");
  private static final String UNQUOTED_STAR = "a value that begins with * must stand in quotes";

  private final String file;
  private final YAMLParser parser;
  private final List<ConfigProblem> problems;

  private YamlTree(String file, YAMLParser parser, List<ConfigProblem> problems) {
    this.file = file;
    this.parser = parser;
    this.problems = problems;
  }

  /**
   * Reads the whole document. Syntax errors and duplicate keys are added to {@code problems}; after
   * a syntax error the result is what was read before it.
   */
  static ConfigNode.Mapping read(String file, Reader yaml, List<ConfigProblem> problems)
      throws IOException {
    ConfigNode.Mapping root = ConfigNode.Mapping.at(file + ":1");
    try (YAMLParser parser = YAMLFactory.builder().build().createParser(yaml)) {
      YamlTree tree = new YamlTree(file, parser, problems);
      JsonToken first = parser.nextToken();
      if (first == null || first == JsonToken.VALUE_NULL) {
        return root;
      }
      if (first != JsonToken.START_OBJECT) {
        problems.add(
            new ConfigProblem(
                tree.origin(), "", "expected keys with values at the top, such as \"targets:\""));
        return root;
      }
      tree.readEntries(root, "", 1);
      if (parser.nextToken() != null) {
        problems.add(
            new ConfigProblem(
                tree.origin(), "", "a second document (---) in one file is not read; remove it"));
      }
    } catch (JsonProcessingException e) {
      problems.add(
          new ConfigProblem(file + ":" + line(e), "", "not YAML: " + said(e.getOriginalMessage())));
    }
    return root;
  }

  private void readEntries(ConfigNode.Mapping into, String path, int depth) throws IOException {
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String key = parser.currentName();
      String keyOrigin = origin();
      parser.nextToken();
      String keyPath = path.isEmpty() ? key : path + "." + key;
      ConfigNode value = readValue(keyPath, depth);
      ConfigNode.Entry earlier = into.entries().get(key);
      if (earlier == null) {
        into.entries().put(key, new ConfigNode.Entry(keyOrigin, value));
      } else {
        problems.add(
            new ConfigProblem(
                keyOrigin, keyPath, "given a second time; first at " + earlier.keyOrigin()));
      }
    }
  }

  private ConfigNode readValue(String path, int depth) throws IOException {
    String origin = origin();
    if (parser.isCurrentAlias()) {
      problems.add(
          new ConfigProblem(origin, path, "aliases (*) are not allowed; " + UNQUOTED_STAR));
    }
    switch (parser.currentToken()) {
      case START_OBJECT -> {
        requireDepth(origin, depth);
        ConfigNode.Mapping mapping = ConfigNode.Mapping.at(origin);
        readEntries(mapping, path, depth + 1);
        return mapping;
      }
      case START_ARRAY -> {
        requireDepth(origin, depth);
        List<ConfigNode> items = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          items.add(readValue(path + "[" + items.size() + "]", depth + 1));
        }
        return new ConfigNode.Sequence(origin, items);
      }
      case VALUE_NULL -> {
        return new ConfigNode.Nothing(origin);
      }
      default -> {
        return new ConfigNode.Scalar(origin, parser.getText());
      }
    }
  }

  private void requireDepth(String origin, int depth) throws IOException {
    if (depth >= MAX_DEPTH) {
      throw new IOException(origin + ": nested deeper than " + MAX_DEPTH + " levels");
    }
  }

  private String origin() {
    return file + ":" + parser.currentTokenLocation().getLineNr();
  }

  /** Jackson tells where it was, and SnakeYAML, behind what it says, where the fault is. */
  private static String line(JsonProcessingException failure) {
    List<String> lines =
        LINE.matcher(failure.getOriginalMessage()).results().map(at -> at.group(1)).toList();
    if (!lines.isEmpty()) {
      return lines.get(lines.size() - 1);
    }
    return failure.getLocation() == null ? "1" : "" + failure.getLocation().getLineNr();
  }

  private static String said(String message) {
    if (message.contains("(TAB)")) {
      return "a tab cannot stand here; use blanks";
    }
    if (message.startsWith("while scanning an alias")) {
      return UNQUOTED_STAR + ", such as \"*\"";
    }
    return oneLine(message);
  }

  /** SnakeYAML's messages carry the excerpt of the file over several lines; the first says it. */
  private static String oneLine(String message) {
    String first =
        message.lines().map(String::strip).filter(l -> !l.isEmpty()).findFirst().orElse("");
    return message
        .lines()
        .map(String::strip)
        .filter(
            l -> l.startsWith("found ") || l.startsWith("could not ") || l.startsWith("expected "))
        .findFirst()
        .filter(l -> !l.equals(first))
        .map(l -> first + ": " + l)
        .orElse(first);
  }
}
