package io.rmigate.gateway.amplification;

import java.io.IOException;
import java.io.Serializable;
import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.rmi.MarshalledObject;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;

/** The argument of a Call. */
enum Graph {
  STRING("a small string") {
    @Override
    Object make() {
      return "a string";
    }
  },
  STRINGS("a list of 100 strings") {
    @Override
    Object make() {
      List<String> strings = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        strings.add("string " + i);
      }
      return strings;
    }
  },
  MAP("a map of 1000") {
    @Override
    Object make() {
      Map<String, Object> map = new HashMap<>();
      for (int i = 0; i < 1000; i++) {
        map.put("key " + i, (long) i);
      }
      return map;
    }
  },
  ALIKE("a map of 500 keys of one hash code") {
    @Override
    Object make() {
      Map<String, Object> map = new HashMap<>();
      for (int i = 0; i < 500; i++) {
        StringBuilder key = new StringBuilder();
        for (int bit = 0; bit < 9; bit++) {
          key.append((i >> bit & 1) == 0 ? "Aa" : "BB");
        }
        map.put(key.toString(), i);
      }
      return map;
    }
  },
  ROWS("100 rows") {
    @Override
    Object make() {
      List<Object> rows = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        Map<String, Object> row = new HashMap<>();
        row.put("id", UUID.nameUUIDFromBytes(new byte[] {(byte) i}));
        row.put("amount", new BigDecimal("12.34").add(BigDecimal.valueOf(i)));
        row.put("name", "name of number " + i);
        row.put("time", OffsetDateTime.parse("2026-01-02T03:04:05Z").plusMinutes(i));
        rows.add(row);
      }
      return rows;
    }
  },
  EXCEPTION("an exception") {
    @Override
    Object make() {
      return new IllegalStateException("x", new IOException("y"));
    }
  },
  REFERENCES("references from far below") {
    @Override
    Object make() {
      String[] first = new String[20_000];
      Arrays.setAll(first, i -> Integer.toString(i, 36));
      Object[] back = new Object[20_000];
      Arrays.setAll(back, i -> first[i % 100]);
      Object deep = back;
      for (int i = 0; i < 150; i++) {
        deep = new Object[] {deep};
      }
      return new Object[] {first, deep};
    }
  },
  CLASSES("120 class names") {
    @Override
    Object make() {
      List<Object> arrays = new ArrayList<>();
      for (Class<?> of :
          List.of(
              String.class,
              Integer.class,
              Long.class,
              BigDecimal.class,
              UUID.class,
              HashMap.class,
              ArrayList.class,
              Object.class)) {
        Class<?> type = of;
        for (int i = 0; i < 15; i++) {
          arrays.add(Array.newInstance(type, 0));
          type = type.arrayType();
        }
      }
      return arrays;
    }
  },
  BYTES("256 KiB of bytes") {
    @Override
    Object make() {
      byte[] bytes = new byte[256 * 1024];
      new Random(1).nextBytes(bytes);
      return bytes;
    }
  },
  ZEROS("256 KiB of zeros") {
    @Override
    Object make() {
      return new byte[256 * 1024];
    }
  },
  INTS("64 Ki ints") {
    @Override
    Object make() {
      return new Random(1).ints(64 * 1024).toArray();
    }
  },
  MARSHALLED("marshalled objects in each other") {
    @Override
    Object make() throws IOException {
      Object inner = MAP.make();
      for (int i = 0; i < 3; i++) {
        inner = new MarshalledObject<>(inner);
      }
      return inner;
    }
  },
  FOREIGN("a class that is refused") {
    @Override
    Object make() {
      return new Unknown();
    }
  };

  /** A class of no interface jar, which class rules refuse. */
  private static final class Unknown implements Serializable {
    private static final long serialVersionUID = 1;
  }

  private final String description;

  Graph(String description) {
    this.description = description;
  }

  abstract Object make() throws IOException;

  @Override
  public String toString() {
    return description;
  }
}
