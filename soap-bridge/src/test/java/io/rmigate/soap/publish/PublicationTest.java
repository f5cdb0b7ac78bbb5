package io.rmigate.soap.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rmigate.soap.publish.Operation.Parameter;
import io.rmigate.soap.publish.PublishEntry.MethodNames;
import io.rmigate.soap.testing.Published;
import io.rmigate.soap.testing.ShapeText;
import io.rmigate.soap.type.Property;
import io.rmigate.soap.xml.WsdlDocument;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rules of MAPPING.md on operations and their names. */
class PublicationTest {
  @TempDir private Path directory;

  private Publication shop(String members) throws Exception {
    return Published.shop(directory, "public interface Shop extends Remote {" + members + "}");
  }

  private static List<String> operations(Publication publication) {
    return publication.contract().operations().stream().map(Operation::name).toList();
  }

  private static List<String> parameters(Publication publication) {
    return publication.contract().operations().get(0).parameters().stream()
        .map(Parameter::name)
        .toList();
  }

  /** Publishing an application runs none of its code. */
  @Test
  void noClassIsInitialized() throws Exception {
    String marker = "rmigate.test.initialized";
    System.clearProperty(marker);
    String initializer = "static { System.setProperty(\"" + marker + "\", \"yes\"); }";

    Publication publication =
        shop(
            """
            class Bean implements Serializable { MARK public int x; }
            record Rec(int x) implements Serializable { MARK }
            enum Size { SMALL; MARK }
            class Wrong extends Exception { MARK }
            Object O = mark();
            static Object mark() { return System.setProperty("NAME", "yes"); }
            Bean m(Rec rec, EnumMap<Size, Bean> map) throws RemoteException, Wrong;
            default void n() throws RemoteException {}
            """
                .replace("MARK", initializer)
                .replace("NAME", marker));

    assertThat(operations(publication)).containsExactly("m", "n");
    assertThat(System.getProperty(marker)).isNull();
    Class.forName("shop.Shop$Bean", true, publication.loader());
    assertThat(System.getProperty(marker)).as("the test can see it").isEqualTo("yes");
    System.clearProperty(marker);
  }

  @Test
  void operationsComeInTheOrderOfDeclaration() throws Exception {
    assertThat(
            operations(
                shop(
                    """
                    void zebra() throws RemoteException;
                    void apple() throws IOException;
                    void mango() throws Exception;
                    """)))
        .containsExactly("zebra", "apple", "mango");
  }

  @Test
  void overloadsHaveTheTypesOfTheirParametersInTheirNames() throws Exception {
    assertThat(
            operations(
                shop(
                    """
                    String find() throws RemoteException;
                    String find(String name) throws RemoteException;
                    String find(int[] numbers, List<String> names) throws RemoteException;
                    String only(long x) throws RemoteException;
                    """)))
        .containsExactly("find", "find_String", "find_intArray_List", "only");
  }

  /** All of them are elements and messages of one WSDL. */
  @Test
  void noOperationIsCalledAsAnAnswerOrAFault() throws Exception {
    Publication publication =
        shop(
            """
            class Late extends Exception {}
            void orderResponse() throws RemoteException;
            void order() throws RemoteException, Late;
            void Late() throws RemoteException;
            void LateFault() throws RemoteException;
            void again(int times) throws RemoteException;
            void again() throws RemoteException;
            void again_intResponse() throws RemoteException;
            """);

    assertThat(operations(publication))
        .containsExactly(
            "orderResponse_2",
            "order",
            "Late_2",
            "LateFault_2",
            "again_int",
            "again",
            "again_intResponse_2");
    String wsdl =
        WsdlDocument.of(
                publication.contract(), URI.create("http://x/"), (contract, operation) -> true)
            .inlined();
    assertThat(wsdl.lines().filter(line -> line.contains("<wsdl:message name=")))
        .hasSize(15)
        .doesNotHaveDuplicates();
  }

  @Test
  void overridingMethodsAreOneOperationWithTheNarrowerResult() throws Exception {
    Publication publication =
        Published.shop(
            directory,
            """
            public interface Shop extends Base, Other { @Override String get() throws RemoteException; }
            interface Base extends Remote { Object get() throws RemoteException; }
            interface Other extends Remote { CharSequence get() throws RemoteException; }
            """);

    Operation get = publication.contract().operations().get(0);

    assertThat(publication.contract().operations()).hasSize(1);
    assertThat(ShapeText.of(get.result().orElseThrow())).isEqualTo("String");
  }

  @Test
  void parametersHaveTheNamesThatTheCompilerKept() throws Exception {
    assertThat(parameters(shop("void m(String street, int number) throws RemoteException;")))
        .containsExactly("street", "number");
  }

  @Test
  void parametersHaveTheNamesInTheDebugInformationOfAServant() throws Exception {
    Path jars =
        Published.jars(
            directory,
            """
            public interface Shop extends Remote {
              void m(String street, long wide, int number) throws RemoteException;
            }
            class Servant implements Shop {
              public void m(String road, long width, int no) { int number = no; }
            }
            """,
            "-g");

    assertThat(parameters(Publication.of(PublishEntry.of("shop", "shop.Shop", jars))))
        .containsExactly("road", "width", "no");
  }

  @Test
  void parametersWithoutNamesAreNumbered() throws Exception {
    Path jars =
        Published.jars(
            directory,
            """
            public interface Shop extends Remote {
              void m(String street, int number) throws RemoteException;
            }
            """,
            "-g:none");

    assertThat(parameters(Publication.of(PublishEntry.of("shop", "shop.Shop", jars))))
        .containsExactly("arg0", "arg1");
  }

  @Test
  void immutableClassesNeedNamesInTheirDebugInformationAtLeast() throws Exception {
    String source =
        """
        public interface Shop extends Remote {
          class Name implements Serializable {
            private final String text;
            public Name(String text) { this.text = text; }
            public String text() { return text; }
          }
          void m(Name name) throws RemoteException;
        }
        """;
    Path with = Published.jars(Files.createDirectory(directory.resolve("g")), source, "-g");
    Path without = Published.jars(Files.createDirectory(directory.resolve("n")), source, "-g:none");

    assertThat(operations(Publication.of(PublishEntry.of("a", "shop.Shop", with)))).hasSize(1);
    assertThat(Publication.of(PublishEntry.of("b", "shop.Shop", without)).contract().refusals())
        .singleElement()
        .asString()
        .contains("nothing sets text", "-parameters");
  }

  @Test
  void configuredNamesReplaceThoseOfTheClasses() throws Exception {
    Path jars =
        Published.jars(
            directory,
            """
            public interface Shop extends Remote {
              String find(String name) throws RemoteException;
              String find(int arg0, int arg1) throws RemoteException;
            }
            """);

    Publication publication =
        Publication.of(
            new PublishEntry(
                "shop",
                "shop.Shop",
                jars,
                Set.of(),
                Map.of(),
                Map.of(
                    "find(String)", new MethodNames("find", List.of()),
                    "find(int,int)", new MethodNames("findBetween", List.of("low", "high")))));

    assertThat(operations(publication)).containsExactly("find", "findBetween");
    assertThat(publication.contract().operation("findBetween").orElseThrow().position("high"))
        .isEqualTo(1);
  }

  @Test
  void onlyListedMethodsArePublished() throws Exception {
    Path jars =
        Published.jars(
            directory,
            """
            public interface Shop extends Remote {
              void buy() throws RemoteException;
              void close() throws RemoteException;
            }
            """);

    assertThat(operations(Publication.of(entry(jars, Set.of("buy"), Map.of()))))
        .containsExactly("buy");
  }

  /** The reference of an object shows no more methods than the path of a published object. */
  @Test
  void onlyListedMethodsOfReferencesArePublished() throws Exception {
    Path jars =
        Published.jars(
            directory,
            """
            public interface Shop extends Remote {
              interface Basket extends Remote {
                void add() throws RemoteException;
                void burn() throws RemoteException;
              }
              interface Till extends Remote {
                void open() throws RemoteException;
              }
              Basket basket() throws RemoteException;
              Till till() throws RemoteException;
            }
            """);
    for (String method : List.of("Basket.add", "shop.Shop.Basket.add")) {
      Publication publication = Publication.of(entry(jars, Set.of(method), Map.of()));

      assertThat(publication.contracts().stream().flatMap(each -> each.operations().stream()))
          .extracting(Operation::name)
          .containsExactlyInAnyOrder("basket", "till", "add", "open");
    }
    assertThatThrownBy(() -> Publication.of(entry(jars, Set.of("basket", "Till.add"), Map.of())))
        .isInstanceOf(NotPublishedException.class)
        .hasMessage("no interface of shop.Shop has a method Till.add");
  }

  private static PublishEntry entry(
      Path jars, Set<String> methods, Map<String, List<String>> implementations) {
    return new PublishEntry("shop", "shop.Shop", jars, methods, implementations, Map.of());
  }

  @Test
  void varargsAreAnArray() throws Exception {
    Publication publication = shop("String join(String... parts) throws RemoteException;");

    assertThat(ShapeText.of(publication.contract().operations().get(0).parameters().get(0).shape()))
        .isEqualTo("[String]");
  }

  @Test
  void aRefusedMethodDoesNotStopTheRest() throws Exception {
    Publication publication =
        shop(
            """
            void a(Object anything) throws RemoteException;
            void b() throws RemoteException;
            void c();
            """);

    assertThat(operations(publication)).containsExactly("b");
    assertThat(publication.contract().refusals())
        .extracting(Refusal::subject)
        .containsExactly("a(Object)", "c()");
    assertThat(publication.contract().refusals().get(1).reason()).contains("RemoteException");
  }

  @Test
  void declaredExceptionsAreFaultsWithTheirPropertiesMostSpecialFirst() throws Exception {
    Publication publication =
        shop(
            """
            class Failed extends Exception { public int code() { return code; } private int code; }
            class Worse extends Failed {
              public String getWhy() { return null; }
              @Override public Throwable getCause() { return null; }
            }
            void m() throws RemoteException, Failed, Worse, IllegalStateException,
                java.sql.SQLException;
            """);

    Operation m = publication.contract().operations().get(0);

    assertThat(m.faults())
        .extracting(ShapeText::of)
        .containsExactly(
            "Worse(message! String, code! int, why! String)",
            "IllegalStateException(message! String)",
            "Failed(message! String, code! int)",
            "SQLException(message! String)");
    assertThat(m.faults().get(0).properties()).extracting(Property::name).contains("message");
  }

  @Test
  void anExceptionThatCannotBeShownLeavesItsMethodCallable() throws Exception {
    Publication publication =
        shop(
            """
            class Failed extends Exception { public Object detail; }
            void m() throws RemoteException, Failed;
            """);

    assertThat(operations(publication)).containsExactly("m");
    assertThat(publication.contract().operations().get(0).faults()).isEmpty();
    assertThat(publication.contract().refusals())
        .singleElement()
        .asString()
        .contains("m throws Failed", "Failed.detail");
  }

  @Test
  void interfacesToWhichReferencesLeadHaveContractsToo() throws Exception {
    Publication publication =
        shop(
            """
            interface Basket extends Remote { Line line(Shop shop) throws RemoteException; }
            interface Line extends Remote { int count() throws RemoteException; }
            Basket basket() throws RemoteException;
            """);

    assertThat(publication.contracts())
        .extracting(Contract::name)
        .containsExactly("Shop", "Basket", "Line");
  }

  @Test
  void whatIsNotThereIsSaid() throws Exception {
    Path jars =
        Published.jars(
            directory,
            """
            public interface Shop extends Remote { class Bean implements Serializable {} }
            """);

    assertThatThrownBy(() -> Publication.of(PublishEntry.of("shop", "shop.Missing", jars)))
        .isInstanceOf(NotPublishedException.class)
        .hasMessageContaining("shop.Missing");
    assertThatThrownBy(() -> Publication.of(PublishEntry.of("shop", "shop.Shop$Bean", jars)))
        .hasMessageContaining("no remote interface");
    assertThatThrownBy(() -> Publication.of(entry(jars, Set.of("bye"), Map.of())))
        .hasMessageContaining("no method bye");
    assertThatThrownBy(
            () ->
                Publication.of(
                    entry(jars, Set.of(), Map.of("java.lang.Number", List.of("shop.Shop$Bean")))))
        .hasMessageContaining("no implementation of java.lang.Number");
    assertThatThrownBy(() -> Publication.of(PublishEntry.of("shop", "x.Y", directory)))
        .hasMessageContaining("no jar");
  }

  /** A jar directory often has only a part of the server's classes. */
  @Test
  void aMissingClassConcernsOnlyTheMethodsThatNeedIt() throws Exception {
    Path jars =
        Published.jars(
            directory,
            """
            public interface Shop extends Remote {
              class Gone implements Serializable {}
              class Bean implements Serializable { public Gone gone; }
              Bean bean() throws RemoteException;
              int number() throws RemoteException;
            }
            """);
    Path classes;
    try (var found = Files.newDirectoryStream(directory, "classes*")) {
      classes = found.iterator().next();
    }
    Files.delete(classes.resolve("shop/Shop$Gone.class"));
    Published.pack(classes, jars.resolve("shop.jar"));

    Publication publication = Publication.of(PublishEntry.of("shop", "shop.Shop", jars));

    assertThat(operations(publication)).containsExactly("number");
    assertThat(publication.contract().refusals())
        .singleElement()
        .asString()
        .contains("bean()", "Shop$Gone", "add its jar");
  }
}
