package io.rmigate.gateway.scan;

import io.rmigate.protocol.jrmp.MessageEnd;
import java.util.List;

/**
 * The contents of one message, as far as it was understood. Where {@code end} is not {@link
 * MessageEnd.Complete} more may stand in it than is told here; where there is a finding, a receiver
 * may see something else than is told here.
 *
 * @param end where the message ends, or why that is not known
 * @param classes in the order in which a receiver asks for them
 * @param proxyClasses a hash code of each different list of interfaces that a proxy has, by their
 *     names and order; the same in all messages for as long as this JVM runs
 * @param references live references, in stream order
 * @param findings what is wrong, in stream order; each kind about each subject once
 * @param figures how much of everything there is
 * @param dropped what of it does not go on, where codebases are dropped; in use by one at a time
 */
public record ScanResult(
    MessageEnd end,
    List<SeenClass> classes,
    List<Long> proxyClasses,
    List<SeenReference> references,
    List<Finding> findings,
    Figures figures,
    DroppedCodebases dropped) {

  /** A result with unmodifiable lists. */
  public ScanResult {
    classes = List.copyOf(classes);
    proxyClasses = List.copyOf(proxyClasses);
    references = ToldReferences.unchanging(references);
    findings = List.copyOf(findings);
  }

  /** The result of a message that is passed on unchanged. */
  public ScanResult(
      MessageEnd end,
      List<SeenClass> classes,
      List<Long> proxyClasses,
      List<SeenReference> references,
      List<Finding> findings,
      Figures figures) {
    this(end, classes, proxyClasses, references, findings, figures, DroppedCodebases.NONE);
  }

  /**
   * What is told here and was not by an earlier result of the same message; the end and the figures
   * are those of this one.
   */
  public ScanResult since(ScanResult earlier) {
    return new ScanResult(
        end,
        classes.subList(earlier.classes.size(), classes.size()),
        proxyClasses.subList(earlier.proxyClasses.size(), proxyClasses.size()),
        references.subList(earlier.references.size(), references.size()),
        findings.subList(earlier.findings.size(), findings.size()),
        figures,
        dropped);
  }

  /** How much is told here. */
  public int tells() {
    return classes.size() + proxyClasses.size() + references.size() + findings.size();
  }

  /** Whether the message ends at that index and nothing was found. */
  public boolean isClean(int expectedEnd) {
    return findings.isEmpty()
        && end instanceof MessageEnd.Complete complete
        && complete.end() == expectedEnd;
  }

  /**
   * Sizes of a message, nested streams included.
   *
   * @param objects objects, arrays, enum constants, strings, {@link Class} objects, descriptors
   * @param depth the most objects within each other
   * @param longestArray in elements
   * @param nestedStreams streams in {@code MarshalledObject}s
   * @param hashingSteps steps that a receiver takes while it reads, through what it hashes, keeps
   *     in an order, or copies although others share it; {@link Long#MAX_VALUE} when there are more
   *     than can be counted
   * @param keys the number of keys in one table that take a receiver as long to compare as those of
   *     the message, if all have equal hash codes: see {@link KeyPairs}
   */
  public record Figures(
      int objects, int depth, int longestArray, int nestedStreams, long hashingSteps, long keys) {}
}
