package io.rmigate.gateway.policy.rule;

import io.rmigate.gateway.policy.remote.InterfaceJars;
import io.rmigate.gateway.policy.rule.LearnedNotes.Note;
import io.rmigate.gateway.policy.type.JavaNames;
import io.rmigate.gateway.scan.Finding;
import io.rmigate.gateway.scan.ScanResult;
import io.rmigate.protocol.jrmp.MessageEnd;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The data of all classes have to be understood, except of classes listed as opaque. */
final class OpaqueRule implements CallRule {
  static final RuleKey<List<String>> KEY = RuleKey.words("opaque").andForAll("opaque", List.of());

  static final RuleType TYPE =
      new SimpleRuleType(
          List.of(KEY), OpaqueRule::new, OpaqueRule::isAbout, Lines::new, OpaqueRule::write);

  private static final Set<Finding.Kind> FINDINGS =
      Set.of(
          Finding.Kind.UNEXPLAINED_CLASS,
          Finding.Kind.SHAPE_MISMATCH,
          Finding.Kind.UNPROVEN_CLASS,
          Finding.Kind.REACHING_OUT,
          Finding.Kind.AMBIGUOUS_DATA);

  /** Advice where a class is refused although its jar is configured. */
  private static final String ADVICE_OF_FORM =
      "; its form differs from the one in the jars of classes.interfaces: if it is of another"
          + " version, put that jar there too, instead of this rule";

  /** Advice for an Externalizable that may also hold a class that its receiver lacks. */
  private static final String ADVICE_OF_FORM_OR_PARTS =
      ADVICE_OF_FORM
          + "; or something in it is of a class that a receiver may lack:"
          + " docs/explanation/externalizables.md";

  /** Advice where the jar of a class is configured, but its reading code cannot be followed. */
  private static final String ADVICE_OF_READER =
      "; its jar is there, but nothing proves where its readObject or readExternal stops:"
          + " docs/explanation/classes.md says why that may be, at Shapes";

  /** The cost of an opaque class, for an operator who adds one. */
  private static final String ADVICE_OF_OPAQUE =
      "; a call that carries an opaque class goes alone on a connection, to another thread of the"
          + " server than the calls before and after it";

  /** Advice where the jar of a class is configured, but its unframed data have no provable end. */
  private static final String ADVICE_OF_EXTERNAL =
      "; its jar is there, but not where the data of its readExternal end:"
          + " docs/explanation/externalizables.md says why that may be";

  private final Set<String> opaque;
  private final InterfaceJars jars;

  private OpaqueRule(Combination entries) {
    this.opaque = Set.copyOf(entries.list(KEY));
    this.jars = entries.jars();
  }

  @Override
  public Set<Finding.Kind> findings() {
    return FINDINGS;
  }

  @Override
  public Optional<Objection> objection(Finding finding) {
    if (opaque.contains(finding.subject())) {
      return Optional.empty();
    }
    Objection.Rule rule =
        finding.kind() == Finding.Kind.AMBIGUOUS_DATA
            ? Objection.Rule.UNREADABLE
            : Objection.Rule.SHAPE;
    return Optional.of(new Objection(rule, finding.subject(), jarOrOpaque(finding.subject())));
  }

  /** The objection to a message with that end; empty if the message is understood to its end. */
  Optional<Objection> objection(MessageEnd end) {
    return end instanceof MessageEnd.Unparseable unreadable
            && !unreadable.externalizable().filter(opaque::contains).isPresent()
        ? Optional.of(
            new Objection(
                Objection.Rule.UNREADABLE,
                unreadable.externalizable().orElseGet(unreadable::reason),
                unreadable.externalizable().map(this::jarOrOpaque).orElse("")))
        : Optional.empty();
  }

  private String jarOrOpaque(String name) {
    String jar = jars.explains(name) || JavaNames.isOfJdk(name) ? "" : Objection.ITS_JAR_OR;
    return jar + KEY.inEntries() + ": ['" + Objection.printable(name) + "']";
  }

  private static boolean isRemedy(String remedy) {
    return remedy.startsWith(KEY.inEntries());
  }

  /**
   * Whether it passes only because a class in it is listed as opaque: that class may hide another
   * message. One that is listed, and is understood nevertheless, hides nothing.
   */
  boolean isNeeded(ScanResult seen) {
    if (opaque.isEmpty()) {
      return false;
    }
    for (Finding finding : seen.findings()) {
      boolean listed =
          finding.kind() != Finding.Kind.REACHING_OUT
              && FINDINGS.contains(finding.kind())
              && opaque.contains(finding.subject());
      if (listed || finding.kind() == Finding.Kind.TOO_MANY_FINDINGS) {
        return true;
      }
    }
    return seen.end() instanceof MessageEnd.Unparseable;
  }

  @Override
  public Optional<String> advice(Objection objection) {
    String subject = objection.subject();
    return switch (objection.rule()) {
      case SHAPE ->
          JavaNames.isOfJdk(subject)
              ? Optional.empty()
              : Optional.of(objection.advice() + adviceOfShape(subject));
      case UNREADABLE ->
          objection.className().isEmpty()
              ? Optional.empty()
              : Optional.of(
                  objection.advice()
                      + (jars.explains(subject) ? ADVICE_OF_EXTERNAL : "")
                      + ADVICE_OF_OPAQUE);
      default -> Optional.empty();
    };
  }

  private String adviceOfShape(String name) {
    if (jars.isEmpty()) {
      return ClassRule.ADVICE_WITHOUT_JARS;
    }
    if (!jars.explains(name)) {
      return "";
    }
    if (!jars.isProven(name)) {
      return ADVICE_OF_READER;
    }
    return jars.endsUnframed(name) ? ADVICE_OF_FORM_OR_PARTS : ADVICE_OF_FORM;
  }

  @Override
  public boolean refuses(Note note) {
    boolean explained =
        note.rule() == Objection.Rule.SHAPE
            ? jars.explains(note.subject())
            : jars.endsUnframed(note.subject());
    return !opaque.contains(note.subject()) && (!explained || isRemedy(note.remedy()));
  }

  private static boolean isAbout(Note note) {
    return note.rule() == Objection.Rule.SHAPE
        || (note.rule() == Objection.Rule.UNREADABLE && !LengthRule.TYPE.isAbout(note));
  }

  /** The lines of the section {@code classes}. */
  private static void write(LearnedSection section) {
    section.list(KEY, section.settings().get(KEY));
  }

  private static final class Lines implements LearnedLines {
    private final LearnedEntry entry;
    private final InterfaceJars jars;
    private final Set<String> opaque = new TreeSet<>();

    Lines(LearnedEntry entry) {
      this.entry = entry;
      this.jars = entry.jars();
    }

    @Override
    public void add(Note note) {
      if (note.rule() == Objection.Rule.SHAPE) {
        // A class that is not as its jar says needs more than the jar.
        if (!jars.explains(note.subject()) || isRemedy(note.remedy())) {
          entry.addClass(note, opaque);
        }
      } else if (isRemedy(note.remedy())) {
        entry.addClass(note, opaque);
      } else if (!note.remedy().startsWith(Objection.ITS_JAR_OR)) {
        entry.addGap(note, LearnedEntry.NOTHING_ALLOWS_IT);
      } else if (!jars.endsUnframed(note.subject())) {
        entry.addClass(note, opaque);
      }
    }

    @Override
    public void write(StringBuilder yaml) {
      if (opaque.isEmpty()) {
        return;
      }
      if (!opaque.stream().allMatch(jars::explains)) {
        yaml.append("    # Better: their jars in a directory named by classes.interfaces.\n");
      }
      yaml.append(
          "    # A call that carries one goes alone on a connection: out of order, and to\n");
      yaml.append("    # another thread of the server.\n");
      yaml.append("    %s:\n".formatted(KEY.inEntries()));
      for (String name : opaque) {
        String why =
            jars.explains(name)
                ? " # its jar is there, but not enough: docs/explanation/classes.md"
                : "";
        yaml.append("      - %s%s%n".formatted(YamlText.of(name), why));
      }
    }
  }
}
