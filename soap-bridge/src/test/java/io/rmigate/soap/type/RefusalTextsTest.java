package io.rmigate.soap.type;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.rmigate.soap.publish.Contract;
import io.rmigate.soap.publish.Refusal;
import io.rmigate.soap.testing.Published;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Calendar;
import java.util.Currency;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A refusal names what it is about: no name or reason in it is missing. */
class RefusalTextsTest {
  /** Where a name was put that is empty, or null. */
  private static final Pattern HOLE =
      Pattern.compile("\\bnull\\b|  | [;,.:)]|\\b(?:of|no|sets) *(?:$|[;,.:)])|[:;,] *$");

  private static void mustBeWhole(String text) {
    assertThat(text).isNotBlank().doesNotContainPattern(HOLE);
  }

  static Stream<Class<?>> scalars() {
    return Stream.of(
        boolean.class,
        byte.class,
        Short.class,
        int.class,
        Long.class,
        float.class,
        Double.class,
        char.class,
        BigInteger.class,
        BigDecimal.class,
        UUID.class,
        URI.class,
        Locale.class,
        Currency.class,
        Date.class,
        java.sql.Timestamp.class,
        java.sql.Date.class,
        java.sql.Time.class,
        Calendar.class,
        Instant.class,
        OffsetDateTime.class,
        LocalDateTime.class,
        LocalDate.class,
        LocalTime.class,
        OffsetTime.class,
        Duration.class,
        Period.class,
        Year.class,
        YearMonth.class,
        MonthDay.class,
        ZonedDateTime.class,
        ZoneId.class,
        ZoneOffset.class);
  }

  @ParameterizedTest
  @MethodSource("scalars")
  void whatIsNoValueOfATypeIsSaidToBeNone(Class<?> type) {
    Scalar scalar = Scalars.of(type).orElseThrow();
    for (String text : List.of("%%", "\"^", "% 123e4567-e89b-12d3-a456-426614174", "24:00:0^")) {
      Throwable refusal = catchThrowable(() -> scalar.parse(text));

      assertThat(refusal).as(text).isInstanceOf(IllegalArgumentException.class);
      assertThat(refusal).message().as(text).matches("(?:is|has) .*");
      mustBeWhole(refusal.getMessage());
    }
  }

  @Test
  void anEnumWithoutConstantsIsNamed() {
    Enumeration empty = new Enumeration(Nothing.class, "Nothing", List.of());

    assertThat(catchThrowable(() -> empty.parse("x")))
        .hasMessage("is no Nothing, which has no constants");
  }

  private enum Nothing {}

  @Test
  void anExceptionWithoutWordsLeavesNoColonBehind() {
    for (Exception cause : List.of(new RuntimeException(""), new RuntimeException((String) null))) {
      assertThat(new ConstructionException(String.class, cause))
          .hasMessage("no String can be made of this");
    }
  }

  @Test
  void eachClassThatCannotBeMadeSaysWhy(@TempDir Path directory) throws Exception {
    String source =
        """
        public interface Shop extends Remote {
          class Settable implements Serializable {
            private int size;
            public Settable(String seed) {}
            public int getSize() { return size; }
            public void setSize(int size) { this.size = size; }
          }
          class Empty implements Serializable {
            public Empty(int seed) {}
          }
          class Computed implements Serializable {
            public Computed(int seed) {}
            public int getSize() { return 1; }
          }
          class Unset implements Serializable {
            private int size;
            public int getSize() { return size; }
          }
          class Inner implements Serializable {
            class Part implements Serializable {}
          }
          enum Nothing {}
          void settable(Settable it) throws RemoteException;
          void empty(Empty it) throws RemoteException;
          void computed(Computed it) throws RemoteException;
          void unset(Unset it) throws RemoteException;
          void part(Inner.Part it) throws RemoteException;
          void inSet(Set<Settable> it) throws RemoteException;
          void noClass(Object it) throws RemoteException;
          void ofJdk(Class<?> it) throws RemoteException;
          void undeclared();
        }
        """;
    Contract contract = Published.shop(directory, source).contract();

    assertThat(contract.operations()).isEmpty();
    assertThat(contract.refusals()).hasSize(9);
    for (Refusal refusal : contract.refusals()) {
      mustBeWhole(refusal.subject());
      mustBeWhole(refusal.reason());
      mustBeWhole(refusal.remedy());
      mustBeWhole(refusal.toString());
    }
    assertThat(contract.refusals())
        .filteredOn(refusal -> refusal.subject().startsWith("settable"))
        .singleElement()
        .extracting(Refusal::reason)
        .asString()
        .endsWith("Settable cannot be made: no constructor fits its properties");
  }
}
