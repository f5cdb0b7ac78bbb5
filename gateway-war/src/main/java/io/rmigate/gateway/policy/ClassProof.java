package io.rmigate.gateway.policy;

import io.rmigate.gateway.policy.remote.InterfaceJars;
import io.rmigate.gateway.policy.rule.ClassRule;
import io.rmigate.gateway.policy.rule.ClassSettings;
import io.rmigate.gateway.policy.type.HostileClasses;
import io.rmigate.gateway.scan.proof.HarmlessClasses;
import io.rmigate.gateway.scan.proof.Verdict;
import io.rmigate.gateway.scan.shape.JarClassFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The verdict about one class of the jars: whether its objects pass, and why. */
public final class ClassProof {
  private final Verdict verdict;
  private final InterfaceJars jars;

  private ClassProof(Verdict verdict, InterfaceJars jars) {
    this.verdict = verdict;
    this.jars = jars;
  }

  /**
   * The proof of a class.
   *
   * @param settings name the jars, and what is permitted for all targets
   * @param className as in {@link Class#getName}
   * @throws IOException the jars cannot be read, or have no remote interface
   */
  public static ClassProof of(ClassSettings settings, String className) throws IOException {
    Path directory = settings.interfaces().orElseThrow();
    InterfaceJars jars = InterfaceJars.of(directory);
    Set<String> withoutJar = ClassRule.withoutJar(settings, jars);
    JarClassFiles files = JarClassFiles.of(InterfaceJars.jars(directory));
    return new ClassProof(HarmlessClasses.of(files, withoutJar).verdict(className), jars);
  }

  /** Whether its objects may stand anywhere. */
  public boolean isProven() {
    return verdict.proven() && !HostileClasses.has(verdict.className());
  }

  /** The verdict and its reasons as lines of text for people. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    String name = verdict.className();
    if (isProven()) {
      lines.add(name + ": proven harmless, so it may stand anywhere in a message");
      return lines;
    }
    lines.add(name + ": not proven harmless");
    String indent = "  ";
    for (String step : verdict.path()) {
      lines.add(indent + step);
      indent += "  ";
    }
    if (HostileClasses.has(name)) {
      lines.add("it is on the list of classes that are used in attacks");
    }
    lines.add(
        jars.mentions(name)
            ? "it passes, because a signature of the remote interfaces mentions it"
            : "it passes only if a rule permits it: classes: ['" + name + "']");
    return lines;
  }
}
