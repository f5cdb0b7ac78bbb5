package io.rmigate.soap.type;

import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.Optional;

/**
 * A named part of a structure.
 *
 * @param source the getter, accessor or public field that gives its value
 * @param sink the setter or public field that takes one; empty if only a constructor does, or
 *     nothing
 * @param state whether the class keeps it in a field; otherwise it is computed from others
 * @param filled whether it is a collection without a setter, into which elements are put instead
 */
public record Property(
    String name, Shape shape, Member source, Optional<Member> sink, boolean state, boolean filled) {

  /** The value in a bean. Code of the published class runs. */
  Object get(Object bean) throws UnreadableValueException {
    try {
      return source instanceof Method getter ? getter.invoke(bean) : ((Field) source).get(bean);
    } catch (InvocationTargetException e) {
      throw new UnreadableValueException(source + " failed", e.getCause());
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
  }

  /** Gives a bean its value. Code of the published class runs. */
  @SuppressWarnings("unchecked") // the elements were made by this property's own shape
  void set(Object bean, Object value) throws ConstructionException {
    try {
      if (filled) {
        if (value != null) {
          ((Collection<Object>) ((Method) source).invoke(bean)).addAll((Collection<?>) value);
        }
      } else if (sink.orElseThrow() instanceof Method setter) {
        setter.invoke(bean, value);
      } else {
        ((Field) sink.orElseThrow()).set(bean, value);
      }
    } catch (InvocationTargetException e) {
      throw new ConstructionException(bean.getClass(), e.getCause());
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    } catch (RuntimeException e) {
      throw new ConstructionException(bean.getClass(), e);
    }
  }
}
