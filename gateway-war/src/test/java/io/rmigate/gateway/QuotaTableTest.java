package io.rmigate.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.quota.Quota;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The table of {@code SECURITY.md} that says who may have how much of what is that of the code. */
class QuotaTableTest {
  private static final Path ROOT = RepositoryFiles.ROOT;

  /** Holder, amount, and the constant or key that sets it. */
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| [^|]+ \\| ([^|]+) \\| ([^|]+) \\| `([^`|]+)` \\| [^|]+ \\|$");

  private static final Pattern AMOUNT =
      Pattern.compile("^(\\d[\\d ]*?)(?: (KiB|MiB|GiB))?(?:,.*)?$");
  private static final Pattern CONSTANT = Pattern.compile("([A-Z]\\w*)\\.([A-Z_]+)");
  private static final Pattern DEFAULT =
      Pattern.compile("(?m)^- \\*\\*`([^`]+)`\\*\\*: [^`]*?(?:Default: `([^`]*)`|$)");

  private static final Map<String, Integer> SHIFTS = Map.of("KiB", 10, "MiB", 20, "GiB", 30);
  private static final String OF_THE_HEAP = "¼ of the heap";
  private static final String NOT_BOUNDED = "not bounded";

  private static List<MatchResult> rows() throws IOException {
    String page = Files.readString(ROOT.resolve("SECURITY.md"));
    String section = page.substring(page.indexOf("## Who may have how much of what"));
    String table = section.substring(0, section.indexOf("\n## "));
    List<MatchResult> rows = ROW.matcher(table).results().toList();
    assertThat(rows).hasSize((int) table.lines().filter(line -> line.startsWith("| ")).count() - 1);
    return rows;
  }

  /** In units or bytes. */
  private static long amount(String cell) {
    if (cell.startsWith(OF_THE_HEAP)) {
      return Runtime.getRuntime().maxMemory() / 4;
    }
    Matcher amount = AMOUNT.matcher(cell);
    assertThat(amount.matches()).as(cell).isTrue();
    long number = Long.parseLong(amount.group(1).replace(" ", ""));
    return amount.group(2) == null ? number : number << SHIFTS.get(amount.group(2));
  }

  private static Map<String, Path> sources() throws IOException {
    Map<String, Path> sources = new HashMap<>();
    for (Path file : RepositoryFiles.endingIn(".java")) {
      if (file.toString().replace('\\', '/').contains("/src/main/java/")) {
        sources.put(file.getFileName().toString().replace(".java", ""), file);
      }
    }
    return sources;
  }

  private static Class<?> classOf(Path source) throws ClassNotFoundException {
    String path = source.toString().replace('\\', '/');
    String name = path.substring(path.indexOf("/src/main/java/") + "/src/main/java/".length());
    return Class.forName(
        name.replace(".java", "").replace('/', '.'), false, QuotaTableTest.class.getClassLoader());
  }

  private static Object constant(Map<String, Path> sources, String type, String name)
      throws ReflectiveOperationException {
    assertThat(sources).containsKey(type);
    Field field = classOf(sources.get(type)).getDeclaredField(name);
    field.setAccessible(true);
    return field.get(null);
  }

  @Test
  void eachConstantIsAsLargeAsTheTableSays() throws Exception {
    Map<String, Path> sources = sources();
    int compared = 0;
    for (MatchResult row : rows()) {
      Matcher constant = CONSTANT.matcher(row.group(3));
      if (!constant.matches()) {
        continue;
      }
      compared++;
      Object value = constant(sources, constant.group(1), constant.group(2));
      if (value instanceof Quota quota) {
        boolean all = Set.of("gateway", "session").contains(row.group(1));
        assertThat(amount(row.group(2)))
            .as(row.group())
            .isEqualTo(all ? quota.total() : quota.each());
        String share = !all || quota.timesFree() == 0 ? "" : quota.timesFree() == 1 ? "½" : "¾";
        assertThat(row.group(2).replaceAll("[^½¾]", "")).as(row.group()).isEqualTo(share);
      } else {
        assertThat(amount(row.group(2))).as(row.group()).isEqualTo(((Number) value).longValue());
      }
    }
    assertThat(compared).isGreaterThan(20);
  }

  @Test
  void eachKeyHasTheDefaultThatTheTableSays() throws IOException {
    Map<String, String> defaults = new HashMap<>();
    for (Path page : RepositoryFiles.endingIn(".md")) {
      if (page.getFileName().toString().startsWith("configuration")) {
        String text = Files.readString(page).replaceAll("\n  (?=\\S)", " ");
        DEFAULT
            .matcher(text)
            .results()
            .forEach(key -> defaults.put(key.group(1), key.group(2) == null ? "" : key.group(2)));
      }
    }
    int compared = 0;
    for (MatchResult row : rows()) {
      String key = row.group(3);
      if (CONSTANT.matcher(key).matches()) {
        continue;
      }
      compared++;
      assertThat(defaults).containsKey(key);
      String value = defaults.get(key).replaceAll("(?<=\\d)(?=[KMG]iB)", " ");
      assertThat(value.isEmpty() ? NOT_BOUNDED : String.valueOf(amount(value)))
          .as(row.group())
          .isEqualTo(
              row.group(2).equals(NOT_BOUNDED)
                  ? NOT_BOUNDED
                  : String.valueOf(amount(row.group(2))));
    }
    assertThat(compared).isGreaterThan(15);
  }

  @Test
  void noQuotaOfTheCodeIsMissing() throws Exception {
    Set<String> named = new HashSet<>();
    for (MatchResult row : rows()) {
      named.add(row.group(3));
    }
    List<String> missing = new ArrayList<>();
    int quotas = 0;
    for (Map.Entry<String, Path> source : sources().entrySet()) {
      if (!Files.readString(source.getValue()).contains("Quota")) {
        continue;
      }
      for (Field field : classOf(source.getValue()).getDeclaredFields()) {
        if (field.getType() == Quota.class && Modifier.isStatic(field.getModifiers())) {
          quotas++;
          String name = source.getKey() + "." + field.getName();
          if (!named.contains(name)) {
            missing.add(name);
          }
        }
      }
    }
    assertThat(missing).isEmpty();
    assertThat(quotas).isGreaterThan(10);
  }
}
