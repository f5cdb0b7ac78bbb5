package io.rmigate.client.program.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ValueAndArgumentTextTest {
  @SuppressWarnings("unused") // read by reflection
  private static final class Silent {
    private final int number = 7;
    private final Object self = this;
  }

  @Test
  void valuesSayWhatIsInThem() {
    assertThat(ValueText.of(null)).isEqualTo("null");
    assertThat(ValueText.of(new int[][] {{1, 2}, {}})).isEqualTo("[[1, 2], []]");
    assertThat(ValueText.of(new TreeMap<>(java.util.Map.of("a", Arrays.asList(1, null)))))
        .isEqualTo("{a: [1, null]}");
    assertThat(ValueText.of(new Silent()))
        .isEqualTo(Silent.class.getName() + " {number: 7, self: …}");
  }

  @Test
  void valuesThatHoldThemselvesEnd() {
    List<Object> list = new ArrayList<>();
    list.add(list);

    assertThat(ValueText.of(list)).isEqualTo("[…]");
  }

  @Test
  void longValuesAreCut() {
    assertThat(ValueText.of(new int[5000])).endsWith("0, …]").hasSizeLessThan(5000);
  }

  @Test
  void argumentsAreReadByTheirType() {
    assertThat(ArgumentText.parse("-7", int.class)).isEqualTo(-7);
    assertThat(ArgumentText.parse("true", Boolean.class)).isEqualTo(true);
    assertThat(ArgumentText.parse("null", String.class)).isNull();
    assertThat(ArgumentText.parse("1.50", BigDecimal.class)).isEqualTo(new BigDecimal("1.50"));
    assertThat((int[]) ArgumentText.parse("[1, 2]", int[].class)).containsExactly(1, 2);
    assertThat((String[]) ArgumentText.parse("[]", String[].class)).isEmpty();
    assertThat(ArgumentText.parse("MONDAY", DayOfWeek.class)).isEqualTo(DayOfWeek.MONDAY);
    assertThat(ArgumentText.parse("2026-02-28", LocalDate.class))
        .isEqualTo(LocalDate.of(2026, 2, 28));
  }

  @Test
  void argumentsThatDoNotFitSayWhy() {
    assertThatThrownBy(() -> ArgumentText.parse("x", int.class)).hasMessage("'x' is no int");
    assertThatThrownBy(() -> ArgumentText.parse("null", int.class)).hasMessage("'null' is no int");
    assertThatThrownBy(() -> ArgumentText.parse("1", int[].class)).hasMessageContaining("[1,2,3]");
    assertThatThrownBy(() -> ArgumentText.parse("x", Thread.class))
        .hasMessageContaining("cannot be written on a command line");
    assertThatThrownBy(() -> ArgumentText.parse("30 February", LocalDate.class))
        .hasMessageContaining("is no LocalDate");
  }
}
