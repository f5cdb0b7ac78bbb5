package io.rmigate.client.program.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InvalidClassException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ReplyFilterTest {
  private record Published(int number) implements Serializable {}

  @Test
  void valuesOfTheJdkPass() throws Exception {
    List<Object> values =
        new ArrayList<>(
            List.of(
                1,
                2.5,
                'c',
                "text",
                new BigDecimal("1.5"),
                LocalDate.of(2026, 1, 1),
                Arrays.asList(1, 2),
                new TreeSet<>(List.of(1)),
                new HashMap<>(Map.of("a", 1)),
                EnumSet.of(TimeUnit.DAYS),
                new int[] {1},
                new String[] {"a"}));

    assertThat(read(values, Optional.empty())).isInstanceOf(List.class);
  }

  @Test
  void exceptionsPass() throws Exception {
    assertThat(
            read(
                new java.rmi.RemoteException("x", new IllegalStateException("y")),
                Optional.empty()))
        .isInstanceOf(java.rmi.RemoteException.class);
  }

  @Test
  void classesOfTheInterfaceJarsPassAndOthersDoNot() throws Exception {
    Published value = new Published(7);

    assertThat(read(value, Optional.of(Published.class.getClassLoader()))).isEqualTo(value);
    assertThatThrownBy(() -> read(value, Optional.empty()))
        .isInstanceOf(InvalidClassException.class);
  }

  @Test
  void whatTheJdkHasBesidesValuesIsRefused() {
    assertThatThrownBy(() -> read(new java.io.File("x"), Optional.empty()))
        .isInstanceOf(InvalidClassException.class);
    assertThatThrownBy(() -> read(new java.net.URL[0], Optional.empty()))
        .isInstanceOf(InvalidClassException.class);
  }

  private static Object read(Object value, Optional<ClassLoader> interfaces) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(value);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      in.setObjectInputFilter(new ReplyFilter(interfaces));
      return in.readObject();
    }
  }
}
