package io.rmigate.gateway.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.policy.rule.ClassMode;
import io.rmigate.gateway.policy.rule.ClassSettings;
import io.rmigate.gateway.policy.rule.Entry;
import io.rmigate.gateway.policy.rule.LearningLog;
import io.rmigate.gateway.policy.rule.Objection;
import io.rmigate.gateway.policy.rule.Objection.Rule;
import io.rmigate.gateway.policy.rule.RequiredPermissions;
import io.rmigate.gateway.policy.type.ClassOutline;
import io.rmigate.gateway.testing.ClassJar;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.nio.file.Path;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who reads why something was refused is told what to do, where that is to be said, and truly. */
class AdviceTest {
  interface Shop extends Remote {
    void add(Order order) throws RemoteException;

    void drop() throws RemoteException;
  }

  static final class Order implements Serializable {
    private static final long serialVersionUID = 1L;
  }

  /** Reads an object before its fields. */
  static final class Note implements Serializable {
    private static final long serialVersionUID = 1L;
    int amount;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.readObject();
      in.defaultReadObject();
    }
  }

  private static final long DROP = ClassOutline.hash("drop", "()V");

  @TempDir Path directory;
  private Rulebook book;

  @BeforeEach
  void readsTheJars() throws Exception {
    book =
        Rulebook.of(
            new ClassSettings(
                ClassMode.ENFORCE,
                List.of(),
                List.of(),
                Optional.of(ClassJar.in(directory, Shop.class, Order.class, Note.class)),
                1 << 20),
            LearningLog.NOTHING);
  }

  private String advice(Rule rule, String subject, String remedy) {
    return book.rules(List.of()).advice(new Objection(rule, subject, remedy));
  }

  @Test
  void aJarIsPutIntoItsDirectoryAndOnlyALineIsAddedToAnEntry() {
    assertThat(
            advice(
                Rule.SHAPE,
                "com.acme.Order",
                "its jar in classes.interfaces, or opaque: ['com.acme.Order']"))
        .isEqualTo(
            "to allow it put its jar into classes.interfaces, or add \"opaque: ['com.acme.Order']\""
                + " to a targets entry");
    Objection unknown = book.rules(List.of()).method(-1, 4711).orElseThrow();
    assertThat(book.rules(List.of()).advice(unknown))
        .isEqualTo("to allow it put the jar with its interface into classes.interfaces");
    assertThat(advice(Rule.STREAM, "CODEBASE", "codebases: keep"))
        .isEqualTo("to allow it add \"codebases: keep\" to classes");
    assertThat(advice(Rule.TARGET, "inside:1", RequiredPermissions.OTHER_TARGET))
        .isEqualTo("to allow it write a targets entry for that endpoint");
  }

  @Test
  void whoMakesAClassOpaqueIsToldWhatThatCosts() {
    String costs =
        "; a call that carries an opaque class goes alone on a connection, to another thread of the"
            + " server than the calls before and after it";
    String foreign = "its jar in classes.interfaces, or opaque: ['com.acme.Tag']";
    assertThat(advice(Rule.UNREADABLE, "com.acme.Tag", foreign))
        .isEqualTo(
            "to allow it put its jar into classes.interfaces, or add \"opaque: ['com.acme.Tag']\""
                + " to a targets entry"
                + costs);
    String order = "opaque: ['" + Order.class.getName() + "']";
    assertThat(advice(Rule.UNREADABLE, Order.class.getName(), order))
        .startsWith("to allow it add \"" + order + "\" to a targets entry; its jar is there")
        .endsWith(costs);
  }

  @Test
  void whoHasGivenTheJarIsToldThatItIsOfAnotherVersionOrCannotBeFollowed() {
    String order = "opaque: ['" + Order.class.getName() + "']";
    assertThat(advice(Rule.SHAPE, Order.class.getName(), order))
        .startsWith("to allow it add \"" + order + "\" to a targets entry; ")
        .contains("another version");
    String note = "opaque: ['" + Note.class.getName() + "']";
    assertThat(advice(Rule.SHAPE, Note.class.getName(), note))
        .startsWith("to allow it add \"" + note + "\" to a targets entry; ")
        .contains("nothing proves where its readObject")
        .doesNotContain("another version");
  }

  @Test
  void aMethodThatIsTakenAwayIsNotAdvisedToBeListedWhichWouldDenyAllOthers() {
    String drop = Shop.class.getName() + ".drop()";
    CallRules without = book.rules(List.of(Entry.enforced().methods("!" + drop).rules()));
    assertThat(without.advice(without.method(-1, DROP).orElseThrow()))
        .isEqualTo(
            "to allow it take out what takes it away, with ! in front, in methods of a targets"
                + " entry");
    CallRules others =
        book.rules(List.of(Entry.enforced().methods(Shop.class.getName() + ".add").rules()));
    assertThat(others.advice(others.method(-1, DROP).orElseThrow()))
        .isEqualTo("to allow it add \"methods: ['" + drop + "']\" to a targets entry");
  }
}
