package io.rmigate.gateway.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.policy.remote.InterfaceJars;
import io.rmigate.gateway.testing.ClassJar;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.nio.file.Path;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Vector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What passes where a signature names a type of the JDK that may be anything. */
@SuppressWarnings({
  "JdkObsolete",
  "TypeParameterUnusedInFormals",
  "UnusedVariable",
  "rawtypes",
  "serial",
  "unused"
})
class OpenTypesTest {
  interface RawResult extends Remote {
    Vector list() throws RemoteException;
  }

  interface RawArgument extends Remote {
    void put(Collection all, int number) throws RemoteException;
  }

  interface RawArgumentOfArgument extends Remote {
    void put(List<Map> all) throws RemoteException;
  }

  interface AnyObject extends Remote {
    Object get(String key) throws RemoteException;
  }

  interface AnyArray extends Remote {
    void put(Object[] all) throws RemoteException;
  }

  interface AnySerializable extends Remote {
    void put(String key, Serializable value) throws RemoteException;
  }

  interface Variable extends Remote {
    <T> T run(List<T> task) throws RemoteException;
  }

  interface Wildcard extends Remote {
    void all(List<?> all) throws RemoteException;
  }

  interface OfItself<T> extends Remote {
    void put(T value) throws RemoteException;
  }

  interface InAField extends Remote {
    Envelope get() throws RemoteException;
  }

  static class Envelope implements Serializable {
    private Map<String, Object> content;
  }

  interface Closed extends Remote {
    List<? extends Named> named(Map<String, Named> all, Class<?> type, Page<Named> page)
        throws RemoteException;
  }

  static class Named implements Serializable, Comparable<Named> {
    @Override
    public int compareTo(Named other) {
      return 0;
    }
  }

  static class Page<T> implements Serializable {
    private T first;
    private List<T> all;
  }

  static class Item implements Serializable {
    private State state;
  }

  enum State {
    SOLD
  }

  static class Reader implements Serializable {
    private void readObject(ObjectInputStream in) throws Exception {
      in.defaultReadObject();
    }
  }

  static class Undeclared extends IllegalStateException {
    private final Detail detail = new Detail();
    private final Object anything = "";
  }

  static class Detail implements Serializable {}

  static class Checked extends Exception {}

  @TempDir Path directory;

  private InterfaceJars with(Class<?> face) throws Exception {
    return InterfaceJars.of(
        ClassJar.in(
            directory,
            face,
            Envelope.class,
            Named.class,
            Page.class,
            Item.class,
            State.class,
            Reader.class,
            Undeclared.class,
            Detail.class,
            Checked.class));
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        RawResult.class,
        RawArgument.class,
        RawArgumentOfArgument.class,
        AnyObject.class,
        AnyArray.class,
        AnySerializable.class,
        Variable.class,
        Wildcard.class,
        OfItself.class,
        InAField.class
      })
  void thePlainClassesOfTheJarsPass(Class<?> face) throws Exception {
    InterfaceJars jars = with(face);
    assertThat(jars.mentions(Item.class.getName())).isTrue();
    assertThat(jars.mentions(State.class.getName())).isTrue();
    assertThat(jars.mentions(Reader.class.getName())).isFalse();
  }

  @Test
  void whereSignaturesNameTheirClassesNoOtherPasses() throws Exception {
    InterfaceJars jars = with(Closed.class);
    assertThat(jars.mentions(Named.class.getName())).isTrue();
    assertThat(jars.mentions(Item.class.getName())).isFalse();
    assertThat(jars.mentions(Checked.class.getName())).isFalse();
  }

  @Test
  void runtimeExceptionsPassThoughNobodyDeclaresThemWithWhatTheirFieldsName() throws Exception {
    InterfaceJars jars = with(Closed.class);
    assertThat(jars.mentions(Undeclared.class.getName())).isTrue();
    assertThat(jars.mentions(Detail.class.getName())).isTrue();
  }

  interface Narrow extends Remote {
    void failed(Exception why, Number number) throws RemoteException;
  }

  static class Amount extends Number {
    @Override
    public int intValue() {
      return 1;
    }

    @Override
    public long longValue() {
      return 1;
    }

    @Override
    public float floatValue() {
      return 1;
    }

    @Override
    public double doubleValue() {
      return 1;
    }
  }

  @Test
  void whereATypeOfTheJdkIsNamedPlainClassesOfThatTypePass() throws Exception {
    InterfaceJars jars =
        InterfaceJars.of(
            ClassJar.in(directory, Narrow.class, Amount.class, Checked.class, Item.class));
    assertThat(jars.mentions(Amount.class.getName())).isTrue();
    assertThat(jars.mentions(Checked.class.getName())).isTrue();
    assertThat(jars.mentions(Item.class.getName())).isFalse();
  }

  interface Listing extends Remote {
    Immutable all() throws RemoteException;
  }

  static class Immutable implements Serializable {
    Object writeReplace() {
      return new Form();
    }
  }

  static class Form implements Serializable {
    private final ArrayList<Object> elements = new ArrayList<>();

    private Object readResolve() {
      return new Immutable();
    }
  }

  @Test
  void whatAClassWritesInItsPlacePassesAndMakesNothingElsePass() throws Exception {
    InterfaceJars jars =
        InterfaceJars.of(
            ClassJar.in(directory, Listing.class, Immutable.class, Form.class, Item.class));
    assertThat(jars.mentions(Form.class.getName())).isTrue();
    assertThat(jars.mentions(Item.class.getName())).isFalse();
  }
}
