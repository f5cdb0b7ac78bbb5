package io.rmigate.soap.type;

import java.lang.reflect.Array;
import java.util.Collection;
import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * An array or a collection: elements one after the other.
 *
 * @param unique whether equal elements are one, as in a set
 * @param maker a new, empty collection; for an array never asked
 */
public record Sequence(Class<?> javaType, Shape element, boolean unique, Maker<Collection<?>> maker)
    implements Shape {

  /** By what could be in them. One for all, since nothing can be put in. */
  private static final ClassValue<Object> EMPTY_ARRAYS =
      new ClassValue<>() {
        @Override
        protected Object computeValue(Class<?> component) {
          return Array.newInstance(component, 0);
        }
      };

  /** Collects elements. Confined to one thread. */
  public interface Builder {

    /** Takes the next. False: a set has it already. */
    boolean add(Object element);

    /** The array or collection of all that were added. */
    Object build();
  }

  @Override
  public String label() {
    return "ArrayOf" + element.label();
  }

  /**
   * A builder of one value.
   *
   * @throws ConstructionException the collection's class cannot be instantiated
   */
  public Builder builder() throws ConstructionException {
    if (javaType.isArray()) {
      return new ArrayBuilder(javaType.getComponentType());
    }
    return new CollectionBuilder(maker.make());
  }

  /**
   * One without elements, of which two brackets make another one.
   *
   * @throws ConstructionException the collection's class cannot be instantiated
   */
  public Object empty() throws ConstructionException {
    return javaType.isArray() ? EMPTY_ARRAYS.get(javaType.getComponentType()) : maker.make();
  }

  /** The elements of a value, none of which is held longer than its turn. */
  public Iterator<?> elements(Object value) {
    if (value instanceof Iterable<?> collection) {
      return collection.iterator();
    }
    return new ArrayElements(value, Array.getLength(value));
  }

  private static final class ArrayElements implements Iterator<Object> {
    private final Object array;
    private final int length;
    private int next;

    ArrayElements(Object array, int length) {
      this.array = array;
      this.length = length;
    }

    @Override
    public boolean hasNext() {
      return next < length;
    }

    @Override
    public Object next() {
      if (next == length) {
        throw new NoSuchElementException();
      }
      return Array.get(array, next++);
    }
  }

  private static final class CollectionBuilder implements Builder {
    private final Collection<Object> elements;

    @SuppressWarnings("unchecked") // each element is made by the element's shape
    CollectionBuilder(Collection<?> empty) {
      elements = (Collection<Object>) empty;
    }

    @Override
    public boolean add(Object element) {
      return elements.add(element);
    }

    @Override
    public Object build() {
      return elements;
    }
  }

  /**
   * Grows an array of the element's own type, so that primitives are never boxed for long. Two
   * brackets are all that it takes to ask for one: an empty one has no room to begin with.
   */
  private static final class ArrayBuilder implements Builder {
    private static final int FIRST_LENGTH = 4;

    private Object array;
    private int length;

    ArrayBuilder(Class<?> component) {
      array = EMPTY_ARRAYS.get(component);
    }

    @Override
    public boolean add(Object element) {
      int capacity = Array.getLength(array);
      if (length == capacity) {
        array = copy(Math.max(FIRST_LENGTH, Math.multiplyExact(capacity, 2)));
      }
      Array.set(array, length++, element);
      return true;
    }

    @Override
    public Object build() {
      return length == Array.getLength(array) ? array : copy(length);
    }

    private Object copy(int capacity) {
      Object larger = Array.newInstance(array.getClass().getComponentType(), capacity);
      System.arraycopy(array, 0, larger, 0, length);
      return larger;
    }
  }
}
