package io.rmigate.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rmigate.gateway.callback.CallbackSettings;
import io.rmigate.gateway.callback.InnerPeers;
import io.rmigate.gateway.policy.Rulebook;
import io.rmigate.gateway.policy.rule.ClassMode;
import io.rmigate.gateway.policy.rule.Entry;
import io.rmigate.gateway.policy.rule.LearnedNotes.Note;
import io.rmigate.gateway.policy.rule.LearningLog;
import io.rmigate.gateway.policy.rule.Objection;
import io.rmigate.gateway.problem.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The flags of the command line say what a file can say, and the file that they print does. */
class QuickFlagsTest {
  private static final QuickFlags.Rules ALL =
      new QuickFlags.Rules(
          Optional.of("learn"),
          false,
          Optional.of(Path.of("lib")),
          List.of("!com.acme.Secret", "com.acme.**"),
          List.of("com.acme.Old"),
          new QuickFlags.Jmx(true, false),
          true);

  @TempDir private Path directory;

  private static QuickFlags flags(
      String listen, List<String> raw, Optional<String> callbacks, QuickFlags.Rules rules) {
    return new QuickFlags(
        new QuickFlags.Door(Optional.of(listen), Optional.empty(), Optional.empty(), true, true),
        List.of("inside.example:*", "[2001:db8::1]:1099"),
        raw,
        callbacks,
        Optional.of(Path.of("it's here")),
        Optional.of("90s"),
        rules);
  }

  private static QuickFlags with(QuickFlags.Rules rules) {
    return flags("127.0.0.1:0", List.of(), Optional.empty(), rules);
  }

  /** As by a gateway that is started in the directory of the file. */
  private GatewayConfig quick(QuickFlags flags) throws ConfigException {
    return ConfigReader.quick(flags, directory);
  }

  private GatewayConfig file(String yaml) throws IOException, ConfigException {
    return GatewayConfig.load(Files.writeString(directory.resolve("r.yaml"), yaml), Map.of());
  }

  @Test
  void eachFlagIsTheKeyOfItsName() throws Exception {
    Files.createDirectory(directory.resolve("lib"));
    GatewayConfig config =
        quick(flags("10.0.0.5:8080", List.of("tls.example:443"), Optional.of(""), ALL));
    assertThat(config.policy().classes().mode()).isEqualTo(ClassMode.LEARN);
    assertThat(config.policy().targets()).hasSize(1);
    assertThat(config.policy().targets().get(0).calls())
        .usingRecursiveComparison()
        .isEqualTo(
            file("""
            insecure: true
            logins: {anonymous: true}
            targets:
              - principals: ['*']
                allow: ['inside.example:*']
                classes: ['!com.acme.Secret', 'com.acme.**']
                opaque: [com.acme.Old]
                jmx: true
            """)
                .policy()
                .targets()
                .get(0)
                .calls());
    assertThat(config.policy().targets().get(0).explain()).isTrue();
    assertThat(config.policy().raw()).hasSize(1);
    assertThat(config.policy().raw().get(0).tlsOnly()).isTrue();
  }

  @Test
  void whatIsPrintedIsTheSameConfiguration() throws Exception {
    Files.createDirectory(directory.resolve("lib"));
    QuickFlags.Rules read =
        new QuickFlags.Rules(
            Optional.of("off"),
            false,
            Optional.empty(),
            List.of(),
            List.of(),
            new QuickFlags.Jmx(false, false),
            false);
    for (QuickFlags flags :
        List.of(
            with(QuickFlags.Rules.NONE),
            with(read),
            with(ALL),
            flags("[::1]:8080", List.of("a.example:443", "*:8443"), Optional.empty(), ALL),
            flags("0.0.0.0:8443", List.of(), Optional.of("10.1.2.3"), ALL))) {
      GatewayConfig printed = file(flags.yaml());
      assertThat(printed)
          .usingRecursiveComparison()
          .ignoringFields("operation.source")
          .isEqualTo(quick(flags));
    }
  }

  @Test
  void callbacksTakeTheAddressThatIsListenedAtOrTheOneThatIsNamed() throws Exception {
    Files.createDirectory(directory.resolve("lib"));
    CallbackSettings same =
        quick(flags("10.0.1.5:8080", List.of(), Optional.of(""), ALL))
            .inside()
            .callbacks()
            .orElseThrow();
    assertThat(same.host()).isEqualTo("10.0.1.5");
    assertThat(same.from()).isEqualTo(InnerPeers.of(List.of("*")));
    CallbackSettings named =
        quick(flags("0.0.0.0:8080", List.of(), Optional.of("10.0.1.6"), ALL))
            .inside()
            .callbacks()
            .orElseThrow();
    assertThat(named.host()).isEqualTo("10.0.1.6");
    for (String listen : List.of("0.0.0.0:8080", "[::]:8080", "gw.example:8080")) {
      assertThatThrownBy(() -> quick(flags(listen, List.of(), Optional.of(""), ALL)))
          .hasMessageContaining("--callbacks=ADDRESS");
    }
  }

  @Test
  void flagsThatContradictEachOtherAreRefused() {
    QuickFlags.Rules modes =
        new QuickFlags.Rules(
            Optional.of("off"),
            true,
            Optional.empty(),
            List.of(),
            List.of(),
            new QuickFlags.Jmx(false, false),
            false);
    assertThatThrownBy(() -> quick(with(modes)))
        .hasMessageContaining("--learn and --class-mode off exclude each other");
    QuickFlags.Rules jmx =
        new QuickFlags.Rules(
            Optional.empty(),
            false,
            Optional.empty(),
            List.of(),
            List.of(),
            new QuickFlags.Jmx(true, true),
            false);
    assertThatThrownBy(() -> quick(with(jmx)))
        .hasMessageContaining("--jmx and --jmx-read exclude each other");
    QuickFlags.Rules none =
        new QuickFlags.Rules(
            Optional.of("on"),
            false,
            Optional.empty(),
            List.of(),
            List.of(),
            new QuickFlags.Jmx(false, false),
            false);
    assertThatThrownBy(() -> quick(with(none)))
        .hasMessageContaining("--class-mode")
        .hasMessageContaining("enforce, learn, off");
  }

  /** As README.md says: all but the two last sections, then the rules that were learnt. */
  @Test
  void whatWasLearntGoesInPlaceOfTheLastSections() throws Exception {
    Files.createDirectory(directory.resolve("lib"));
    String yaml = with(ALL).yaml();
    String kept = yaml.replaceFirst("(?ms)^(callbacks|classes):.*", "");
    Note note =
        new Note("anonymous", "inside.example:1099", Objection.Rule.OPERATION, "lookup", "");
    Note name = new Note("anonymous", "inside.example:1099", Objection.Rule.NAME, "Shop", "names");
    GatewayConfig learnt = quick(with(QuickFlags.Rules.NONE));
    String rules =
        Rulebook.of(learnt.policy().classes(), LearningLog.NOTHING)
            .learnedRules(List.of(note, name));
    GatewayConfig enforced = file(kept + rules);
    assertThat(enforced.policy().classes().mode()).isEqualTo(ClassMode.ENFORCE);
    assertThat(enforced.policy().targets()).hasSize(1);
    assertThat(Entry.names(enforced.policy().targets().get(0).calls())).containsExactly("Shop");
    assertThat(enforced.server().listen()).isEqualTo(learnt.server().listen());
    assertThat(enforced.inside().callbacks()).as("no client was called back").isEmpty();
  }
}
