package io.rmigate.gateway.scan.proof;

import io.rmigate.gateway.scan.shape.JarClassFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;

/**
 * Prints what the proof says of jars, as the table that the documentation has: how many
 * serializable classes are proven, how many are not, and the commonest reasons. {@code
 * gateway-war/proofs} runs it.
 *
 * <pre>
 *   java io.rmigate.gateway.scan.proof.ProofTable [--all] JAR[,JAR...]...
 * </pre>
 *
 * <p>Jars that are joined by commas are one set: each stands with the others that it needs, and the
 * line is of the first. With {@code --all} it prints each class that is not proven, too.
 */
public final class ProofTable {
  private static final int REASONS = 4;

  private ProofTable() {}

  /** Prints it. */
  public static void main(String[] arguments) throws IOException {
    List<String> sets = new ArrayList<>(Arrays.asList(arguments));
    boolean all = sets.remove("--all");
    System.out.println("| jar | proven | not proven | why not |");
    System.out.println("|---|--:|--:|---|");
    for (String set : sets) {
      List<Path> jars = Arrays.stream(set.split(",", -1)).map(Path::of).toList();
      List<Verdict> verdicts = verdicts(jars);
      System.out.println(line(jars.get(0).getFileName().toString(), verdicts));
      if (all) {
        verdicts.stream()
            .filter(verdict -> !verdict.proven())
            .forEach(verdict -> System.out.println(text(verdict)));
      }
    }
  }

  /** Of the serializable classes of the first jar. */
  static List<Verdict> verdicts(List<Path> jars) throws IOException {
    HarmlessClasses harmless = HarmlessClasses.of(JarClassFiles.of(jars), Set.of());
    Map<String, List<ClassReader>> files = JarClassFiles.of(jars.subList(0, 1)).byName();
    Set<String> first = files.keySet();
    Set<String> interfaces =
        files.values().stream()
            .map(versions -> versions.get(0))
            .filter(file -> (file.getAccess() & Opcodes.ACC_INTERFACE) != 0)
            .map(file -> file.getClassName().replace('/', '.'))
            .collect(Collectors.toSet());
    return harmless.verdicts().stream()
        .filter(verdict -> first.contains(verdict.className().replace('.', '/')))
        .filter(verdict -> !interfaces.contains(verdict.className()))
        .toList();
  }

  private static String text(Verdict verdict) {
    return verdict.className() + "\n    " + String.join("\n    ", verdict.path());
  }

  static String line(String name, List<Verdict> verdicts) {
    long proven = verdicts.stream().filter(Verdict::proven).count();
    Map<String, Integer> reasons = new TreeMap<>();
    verdicts.stream()
        .filter(verdict -> !verdict.proven())
        .forEach(verdict -> reasons.merge(kind(verdict.reason()), 1, Integer::sum));
    String commonest =
        reasons.entrySet().stream()
            .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
            .limit(REASONS)
            .map(reason -> reason.getKey() + " " + reason.getValue())
            .collect(Collectors.joining(", "));
    return "| %s | %d | %d | %s |"
        .formatted(
            name.replaceAll("\\.jar$", "").replaceAll("-(?=[0-9])", " "),
            proven,
            verdicts.size() - proven,
            commonest);
  }

  /** What a reason says after the name of the method or class, without what differs each time. */
  static String kind(String reason) {
    String kind = reason.substring(reason.lastIndexOf(": ") + 1).trim();
    return kind.startsWith("writes the static field") ? "writes to static fields" : kind;
  }
}
