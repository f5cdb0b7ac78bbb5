package io.rmigate.soap.type;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.soap.publish.Contract;
import io.rmigate.soap.publish.Operation;
import io.rmigate.soap.publish.Publication;
import io.rmigate.soap.publish.PublishEntry;
import io.rmigate.soap.testing.Published;
import io.rmigate.soap.testing.ShapeText;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rules of MAPPING.md on types, one by one. */
class ShapesTest {
  @TempDir private Path directory;

  private Contract contract(String members, Map<String, List<String>> implementations)
      throws Exception {
    Path jars =
        Published.jars(directory, "public interface Shop extends Remote {\n" + members + "\n}");
    return Publication.of(
            new PublishEntry("shop", "shop.Shop", jars, Set.of(), implementations, Map.of()))
        .contract();
  }

  /** The shape of a result, given the types that its declaration needs. */
  private String shape(String type, String types) throws Exception {
    Contract contract = contract(types + type + " m() throws RemoteException;", Map.of());
    assertThat(contract.refusals()).isEmpty();
    return ShapeText.of(contract.operations().get(0).result().orElseThrow());
  }

  /** Why a parameter is refused. */
  private String refusal(String type, String types) throws Exception {
    Contract contract =
        contract(types + "void m(" + type + " it) throws RemoteException;", Map.of());
    assertThat(contract.operations()).isEmpty();
    return contract.refusals().get(0).toString();
  }

  @ParameterizedTest
  @CsvSource({
    "boolean, boolean",
    "Integer, int",
    "char, unsignedShort",
    "String, string",
    "BigDecimal, decimal",
    "BigInteger, integer",
    "Date, dateTime",
    "java.sql.Date, date",
    "java.sql.Timestamp, dateTime",
    "Calendar, dateTime",
    "Instant, dateTime",
    "LocalDate, date",
    "Duration, duration",
    "YearMonth, gYearMonth",
    "ZonedDateTime, string",
    "UUID, string",
    "URI, anyURI",
    "Locale, string",
  })
  void scalarsAreWords(String type, String schemaType) throws Exception {
    Contract contract = contract(type + " m(" + type + " it) throws RemoteException;", Map.of());

    Shape result = contract.operations().get(0).result().orElseThrow();

    assertThat(result).isInstanceOf(Scalar.class);
    assertThat(((Scalar) result).schemaType()).isEqualTo(schemaType);
    assertThat(result.nullable()).isEqualTo(!result.javaType().isPrimitive());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "byte[]; binary",
        "byte[][]; [binary]",
        "int[]; [int]",
        "String[][]; [[String]]",
        "List<String>; [String]",
        "Collection<? extends Number[]>; refused",
        "Set<Integer>; set [Integer]",
        "SortedSet<UUID>; set [UUID]",
        "Queue<String>; [String]",
        "ArrayList<long[]>; [[long]]",
        "EnumSet<DayOfWeek>; set [DayOfWeek[MONDAY, TUESDAY, WEDNESDAY, THURSDAY, FRIDAY, SATURDAY,"
            + " SUNDAY]]",
        "Map<String, List<Integer>>; {String -> [Integer]}",
        "ConcurrentMap<Integer, String>; {Integer -> String}",
        "Properties; {String -> String}",
      })
  void containersAreSequencesAndDictionaries(String type, String text) throws Exception {
    Contract contract = contract(type + " m(" + type + " it) throws RemoteException;", Map.of());

    assertThat(
            contract.operations().stream()
                .map(o -> ShapeText.of(o.result().orElseThrow()))
                .findFirst()
                .orElse("refused"))
        .isEqualTo(text);
  }

  @Test
  void constantsGoByNameInTheOrderOfDeclaration() throws Exception {
    assertThat(shape("Size", "enum Size { SMALL { }, LARGE; static final int X = 1; }"))
        .isEqualTo("Size[SMALL, LARGE]");
  }

  @Test
  void beansShowGettersAndPublicFieldsInTheOrderOfDeclaration() throws Exception {
    String bean =
        """
        class Bean implements Serializable {
          private String zebra;
          public int apple;
          private boolean ripe;
          private URI URL;
          private transient String cache;
          static int count;
          public String getCache() { return cache; }
          public URI getURL() { return URL; }
          public void setURL(URI u) { }
          public boolean isRipe() { return ripe; }
          public void setRipe(boolean r) { }
          public String getZebra() { return zebra; }
          public Bean setZebra(String z) { return this; }
        }
        """;

    assertThat(shape("Bean", bean))
        .isEqualTo("Bean(zebra String, apple int, ripe boolean, URL URI)");
  }

  @Test
  void computedPropertiesAreShownButNotTaken() throws Exception {
    String bean =
        """
        class Bean implements Serializable {
          private int count;
          public int getCount() { return count; }
          public void setCount(int c) { }
          public int getTwice() { return 2 * count; }
        }
        """;

    assertThat(shape("Bean", bean)).isEqualTo("Bean(count int, twice! int)");
  }

  @Test
  void collectionsWithoutSetterAreFilled() throws Exception {
    String bean =
        """
        class Bean implements Serializable {
          private final List<String> tags = new ArrayList<>();
          public List<String> getTags() { return tags; }
        }
        """;

    assertThat(shape("Bean", bean)).isEqualTo("Bean(tags [String])");
  }

  @Test
  void stateThatNothingSetsForbidsAnArgumentButNotAResult() throws Exception {
    String bean =
        """
        class Bean implements Serializable {
          private int secret;
          public int getSecret() { return secret; }
        }
        """;

    assertThat(shape("Bean", bean)).isEqualTo("Bean(secret! int)");
    assertThat(refusal("Bean", bean))
        .contains("m(Bean)", "parameter it", "nothing sets secret", "make it a record");
  }

  /** With a field that belongs to no property no getter can be trusted to be computed. */
  @Test
  void hiddenFieldsMakeGettersState() throws Exception {
    String bean =
        """
        class Bean implements Serializable {
          private String mName;
          public String getName() { return mName; }
        }
        """;

    assertThat(refusal("Bean", bean)).contains("nothing sets name");
  }

  @Test
  void recordsAreMadeByTheirCanonicalConstructor() throws Exception {
    assertThat(shape("Point", "record Point(int x, List<Point> next) implements Serializable {}"))
        .isEqualTo("Point(x int, next [Point])");
  }

  @Test
  void immutableClassesAreMadeByTheConstructorNamedLikeTheirProperties() throws Exception {
    String immutable =
        """
        class Money implements Serializable {
          private final String currency;
          private final BigDecimal amount;
          public Money(BigDecimal amount) { this(amount, "EUR"); }
          public Money(BigDecimal amount, String currency) {
            this.amount = amount;
            this.currency = currency;
          }
          public String currency() { return currency; }
          public BigDecimal getAmount() { return amount; }
        }
        """;

    assertThat(shape("Money", immutable)).isEqualTo("Money(currency String, amount BigDecimal)");
  }

  @Test
  void superclassesComeFirst() throws Exception {
    String classes =
        """
        class Base<T> implements Serializable { public T id; }
        class Derived extends Base<UUID> { public String name; }
        """;

    assertThat(shape("Derived", classes)).isEqualTo("Derived(id UUID, name String)");
  }

  @Test
  void genericsAreResolvedFromTheSignature() throws Exception {
    String classes =
        """
        record Page<T>(List<T> items, Page<T> next) implements Serializable {}
        record Pair<A, B>(A first, B[] second) implements Serializable {}
        """;

    assertThat(shape("Page<Pair<String, Integer>>", classes))
        .isEqualTo(
            "PageOfPairOfStringAndInteger(items"
                + " [PairOfStringAndInteger(first String, second [Integer])],"
                + " next PageOfPairOfStringAndInteger)");
  }

  @Test
  void methodsInheritedFromGenericInterfacesAreResolved() throws Exception {
    Path jars =
        Published.jars(
            directory,
            """
            public interface Shop extends Store<UUID, String> {}
            interface Store<K, V> extends Remote {
              V get(K key) throws RemoteException;
              <T extends Number> List<K> all(Map<K, ? super T> filter) throws RemoteException;
            }
            """);

    Contract contract = Publication.of(PublishEntry.of("shop", "shop.Shop", jars)).contract();

    Operation get = contract.operation("get").orElseThrow();
    assertThat(ShapeText.of(get.parameters().get(0).shape())).isEqualTo("UUID");
    assertThat(ShapeText.of(get.result().orElseThrow())).isEqualTo("String");
    assertThat(contract.refusals()).singleElement().asString().contains("all(Map)", "Object");
  }

  @Test
  void sealedTypesAreChoices() throws Exception {
    String types =
        """
        sealed interface Animal extends Serializable permits Dog, Cat {}
        record Dog(String name) implements Animal {}
        record Cat(int lives, Animal prey) implements Animal {}
        """;

    assertThat(shape("Animal", types))
        .isEqualTo("AnyAnimal(Dog(name String) | Cat(lives int, prey AnyAnimal))");
  }

  @Test
  void oneConfiguredImplementationStandsForItsInterface() throws Exception {
    Contract contract =
        contract(
            """
            interface Named extends Serializable { String name(); }
            record Person(String name) implements Named {}
            record Box(Named content, Number weight) implements Serializable {}
            void m(Box box) throws RemoteException;
            """,
            Map.of(
                "shop.Shop$Named", List.of("shop.Shop$Person"),
                "java.lang.Number", List.of("java.math.BigDecimal")));

    assertThat(ShapeText.of(contract.operations().get(0).parameters().get(0).shape()))
        .isEqualTo("Box(content Person(name String), weight BigDecimal)");
  }

  @Test
  void aClassWithConfiguredSubclassesIsAChoiceOfItselfAndThose() throws Exception {
    Contract contract =
        contract(
            """
            class Item implements Serializable { public String name; }
            class Book extends Item { public String isbn; }
            void m(Item item) throws RemoteException;
            Book book() throws RemoteException;
            """,
            Map.of("shop.Shop$Item", List.of("shop.Shop$Book")));

    assertThat(ShapeText.of(contract.operation("m").orElseThrow().parameters().get(0).shape()))
        .isEqualTo("AnyItem(Item(name String) | Book(name String, isbn String))");
    assertThat(ShapeText.of(contract.operation("book").orElseThrow().result().orElseThrow()))
        .isEqualTo("Book(name String, isbn String)");
  }

  @Test
  void remoteInterfacesAreReferences() throws Exception {
    assertThat(shape("List<Basket>", "interface Basket extends Remote {}")).isEqualTo("[&Basket]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "Object; says nothing about what may come; configure implementations of java.lang.Object",
        "List; element: java.lang.Object; declare the class",
        "Map<String, List<?>>; value: element: java.lang.Object; declare the class",
        "Number; java.lang.Number is abstract; configure implementations of java.lang.Number",
        "URL; java.net.URL is a class of the JDK that has no mapping; use a String",
        "Class<String>; java.lang.Class is a class of the JDK; use a String",
        "Optional<String>; java.util.Optional is a class of the JDK; use a String",
        "File; java.io.File is a class of the JDK; use a String",
        "Throwable; java.lang.Throwable is a class of the JDK; use a String",
        "Iterator<String>; java.util.Iterator is abstract; declare the class",
        "WeakHashMap<String, String>; is not java.io.Serializable; declare java.util.List",
        "Own; is its own element; put a class",
        "Named; Shop$Named is abstract; configure implementations of shop.Shop$Named",
        "Plain; Plain is not java.io.Serializable; let it implement",
        "Holder; Holder.plain: shop.Shop$Plain is not java.io.Serializable; let it implement",
        "Growing<String>; is nested too deep; without growing",
        "Servant; is the class of a remote object; declare its remote interface",
        "java.rmi.registry.Registry; is a remote interface of the JDK; of your own",
      })
  void whatHasNoMappingIsRefusedWithReasonAndRemedy(String type, String reason, String remedy)
      throws Exception {
    String types =
        """
        interface Named extends Serializable {}
        class Plain { public int x; }
        class Holder implements Serializable { public Plain plain; }
        class Own extends ArrayList<Own> {}
        class Growing<T> implements Serializable { public Growing<List<T>> next; }
        class Servant implements Remote {}
        """;

    assertThat(refusal(type, types)).contains("parameter it: ", reason, remedy);
  }

  /** What only the refused one has used must not turn up in a schema. */
  @Test
  void aRefusedTypeLeavesNothingBehind() throws Exception {
    Publication publication =
        Published.shop(
            directory,
            """
            public interface Shop extends Remote {
              record Good(String name) implements Serializable {}
              record Bad(Good good, Other other, URL url) implements Serializable {}
              record Other(Bad bad) implements Serializable {}
              Bad bad() throws RemoteException;
              Good good() throws RemoteException;
              Other other() throws RemoteException;
            }
            """);

    assertThat(publication.contract().operations())
        .extracting(Operation::name)
        .containsOnly("good");
    assertThat(publication.types()).extracting(Shape::label).containsExactly("Shop", "Good");
  }
}
