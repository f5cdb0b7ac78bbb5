package io.rmigate.gateway.scan.shape;

import io.rmigate.protocol.jrmp.ModifiedUtf8;
import io.rmigate.protocol.jrmp.StreamClass;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Shapes by the names of their classes; a class has as many as there are versions of it. Immutable;
 * any thread.
 */
public final class Shapes {
  /** The shapes of the JDK's classes, read at their first use. */
  private static final class Jdk {
    static final Shapes SHAPES = new Shapes(JdkShapes.load());
  }

  private static final class Entry {
    final byte[] name;
    final List<Shape> shapes;

    Entry(byte[] name, List<Shape> shapes) {
      this.name = name;
      this.shapes = shapes;
    }
  }

  /** Open addressing by {@link StreamClass#nameHash}; at most half full. */
  private final Entry[] table;

  private final List<Shape> all;

  private Shapes(Collection<Shape> shapes) {
    Map<String, List<Shape>> byName = new HashMap<>();
    for (Shape shape : shapes) {
      byName.computeIfAbsent(shape.name(), name -> new ArrayList<>(1)).add(shape);
    }
    all = List.copyOf(shapes);
    table = new Entry[Integer.highestOneBit(Math.max(1, byName.size())) << 2];
    byName.forEach(
        (name, its) -> {
          byte[] bytes = ModifiedUtf8.encode(name);
          int slot = slot(StreamClass.nameHash(bytes));
          while (table[slot] != null) {
            slot = slot + 1 & table.length - 1;
          }
          table[slot] = new Entry(bytes, List.copyOf(its));
        });
  }

  /** The JDK's: of what RMI itself writes, of values, of exceptions, of JMX. */
  public static Shapes ofJdk() {
    return Jdk.SHAPES;
  }

  /** These and those; a class may be in both. */
  public Shapes with(Collection<Shape> more) {
    List<Shape> both = new ArrayList<>(all);
    both.addAll(more);
    return new Shapes(both);
  }

  /**
   * The shapes of the class that a descriptor names; empty if there are none. Allocates nothing.
   */
  public List<Shape> of(StreamClass descriptor) {
    for (int slot = slot(descriptor.nameHash()); table[slot] != null; ) {
      if (descriptor.isNamed(table[slot].name)) {
        return table[slot].shapes;
      }
      slot = slot + 1 & table.length - 1;
    }
    return List.of();
  }

  /** All, in no order. */
  public List<Shape> all() {
    return all;
  }

  private int slot(int hash) {
    return (hash ^ hash >>> 16) & table.length - 1;
  }
}
