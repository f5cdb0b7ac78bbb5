package io.rmigate.gateway.policy.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rmigate.gateway.policy.type.ClassOutline;
import io.rmigate.gateway.testing.ClassJar;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Path;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the signatures of remote interfaces in jars allow, and what they do not. */
class InterfaceJarsTest {

  interface Desk extends Counter<Order> {
    Receipt quote(List<Line> lines) throws RemoteException, SoldOut;
  }

  /** Inherited by a remote interface, but none by itself. */
  interface Counter<T> {
    int count(T thing) throws RemoteException;
  }

  abstract static class Receipt implements Serializable, Marker {
    private static final long serialVersionUID = 1L;
    Money total;
    transient Ledger ledger;
  }

  static final class PaidReceipt extends Receipt {
    private static final long serialVersionUID = 1L;
  }

  interface Marker {}

  static final class Line implements Serializable {
    private static final long serialVersionUID = 1L;
  }

  static final class Money implements Serializable {
    private static final long serialVersionUID = 1L;
  }

  static final class Order implements Serializable {
    private static final long serialVersionUID = 1L;
  }

  static final class SoldOut extends Exception {
    private static final long serialVersionUID = 1L;
  }

  /** Serializable, in the same jar, marked as others are, and nowhere in a signature. */
  static final class Gadget implements Serializable, Marker {
    private static final long serialVersionUID = 1L;
  }

  static final class Ledger implements Serializable {
    private static final long serialVersionUID = 1L;
  }

  interface Desks extends Remote, Desk {}

  @TempDir Path directory;
  private InterfaceJars jars;

  @BeforeEach
  void readsTheJar() throws Exception {
    jars =
        InterfaceJars.of(
            ClassJar.in(
                directory,
                Desk.class,
                Desks.class,
                Counter.class,
                Receipt.class,
                PaidReceipt.class,
                Marker.class,
                Line.class,
                Money.class,
                Order.class,
                SoldOut.class,
                Gadget.class,
                Ledger.class));
  }

  private static String name(Class<?> type) {
    return type.getName();
  }

  @Test
  void methodsAreKnownByTheirHashes() {
    assertThat(jars.methods(ClassOutline.hash("count", "(Ljava/lang/Object;)I")))
        .containsExactly(name(Desks.class) + ".count");
    assertThat(jars.hasMethod(ClassOutline.hash("count", "(I)I"))).isFalse();
  }

  /** The hash of {@code add(II)I}, as a JDK client writes it: computed independently. */
  @Test
  void hashesAreThoseOfRmi() throws Exception {
    java.io.ByteArrayOutputStream bytes = new java.io.ByteArrayOutputStream();
    new java.io.DataOutputStream(bytes).writeUTF("add(II)I");
    byte[] digest = java.security.MessageDigest.getInstance("SHA").digest(bytes.toByteArray());
    long hash = 0;
    for (int i = 0; i < 8; i++) {
      hash += (long) (digest[i] & 0xFF) << (i * 8);
    }
    assertThat(ClassOutline.hash("add", "(II)I")).isEqualTo(hash);
  }

  @Test
  void parametersResultsExceptionsTypeArgumentsAndFieldsAreMentioned() {
    for (Class<?> type :
        List.of(Receipt.class, Line.class, SoldOut.class, Order.class, Money.class, Desks.class)) {
      assertThat(jars.mentions(name(type))).as(name(type)).isTrue();
    }
  }

  @Test
  void subclassesOfWhatIsMentionedAreToo() {
    assertThat(jars.mentions(name(PaidReceipt.class))).isTrue();
  }

  @Test
  void whatOnlyLiesBesideOrIsNeverWrittenIsNot() {
    assertThat(jars.mentions(name(Gadget.class))).isFalse();
    assertThat(jars.mentions(name(Ledger.class))).isFalse();
  }

  @Test
  void withoutJarsNoMethodIsUnknownAndNoClassMentioned() {
    assertThat(InterfaceJars.NONE.isEmpty()).isTrue();
    assertThat(InterfaceJars.NONE.mentions("java.lang.String")).isFalse();
  }

  @Test
  void aDirectoryWithoutRemoteInterfacesIsAnError(@TempDir Path other) throws Exception {
    assertThatThrownBy(() -> InterfaceJars.of(other))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("remote interface");
    ClassJar.in(other, Line.class, Counter.class);
    assertThatThrownBy(() -> InterfaceJars.of(other)).isInstanceOf(IOException.class);
  }
}
