package io.rmigate.gateway.bridge.marshal;

import io.rmigate.soap.publish.Contract;
import io.rmigate.soap.publish.Publication;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Proxy;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.rmi.Remote;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/**
 * The classes of one publication that answers may hold: classes that its methods return and throw,
 * classes of their fields, and all subclasses and implementations of these. Other classes of the
 * jars, such as libraries of the server, are not permitted.
 *
 * <p>Decided by name before anything is loaded, since loaders remember for ever what they were
 * asked for. Thread-safe; {@code lock} guards what has been found so far, and is held while classes
 * are loaded, never while one runs.
 */
public final class AnswerClasses {
  /** Sets of interfaces that stubs may have: each is a class, and stays one. */
  private static final int MAX_STUB_CLASSES = 256;

  private static final int MAX_INTERFACES = 64;

  private final ClassLoader loader;
  private final Predicate<String> exists;

  private final ReentrantLock lock = new ReentrantLock();
  private final Set<Class<?>> declared = new HashSet<>();
  private final Set<Type> seen = new HashSet<>();
  private final Map<Class<?>, Boolean> decided = new HashMap<>();
  private final Map<Set<String>, Class<?>> stubs = new HashMap<>();

  /** The classes that answers of a publication's contracts may have. */
  public static AnswerClasses of(Publication publication) {
    return new AnswerClasses(
        publication.loader(),
        publication.classNames(),
        publication.contracts().stream().<Class<?>>map(Contract::type).toList());
  }

  /**
   * @param exists whether the loader itself, without its parents, has a class of that name
   * @param interfaces whose methods are called
   */
  AnswerClasses(ClassLoader loader, Predicate<String> exists, Collection<Class<?>> interfaces) {
    this.loader = loader;
    this.exists = exists;
    for (Class<?> type : interfaces) {
      superinterfaces(type);
      for (Method method : type.getMethods()) {
        declare(method.getGenericReturnType());
        List.of(method.getGenericExceptionTypes()).forEach(this::declare);
      }
    }
  }

  /** Declares the superinterfaces of a type, with the arguments of their type variables. */
  private void superinterfaces(Class<?> type) {
    for (Type superinterface : type.getGenericInterfaces()) {
      declare(superinterface);
    }
    List.of(type.getInterfaces()).forEach(this::superinterfaces);
  }

  private void declare(Type type) {
    if (type == null || !seen.add(type)) {
      return;
    }
    if (type instanceof ParameterizedType parameterized) {
      declare(parameterized.getRawType());
      List.of(parameterized.getActualTypeArguments()).forEach(this::declare);
    } else if (type instanceof GenericArrayType array) {
      declare(array.getGenericComponentType());
    } else if (type instanceof WildcardType wildcard) {
      List.of(wildcard.getUpperBounds()).forEach(this::declare);
    } else if (type instanceof TypeVariable<?> variable) {
      List.of(variable.getBounds()).forEach(this::declare);
    } else if (type instanceof Class<?> plain) {
      if (plain.isArray()) {
        declare(plain.getComponentType());
      } else if (plain.getClassLoader() == loader) {
        declared.add(plain);
        fields(plain);
      }
    }
  }

  private void fields(Class<?> type) {
    for (Field field : type.getDeclaredFields()) {
      if (!Modifier.isStatic(field.getModifiers()) && !Modifier.isTransient(field.getModifiers())) {
        declare(field.getGenericType());
      }
    }
    declare(type.getGenericSuperclass());
  }

  ClassLoader loader() {
    return loader;
  }

  /**
   * A class by its name, not initialized; of an array, by that of its elements.
   *
   * @throws ClassNotFoundException there is none that an answer might hold
   */
  Class<?> load(String name) throws ClassNotFoundException {
    String element = elementOf(name);
    if (element.isEmpty() || exists.test(element) || JdkValueTypes.mayContain(element)) {
      return Class.forName(name, false, loader);
    }
    throw new ClassNotFoundException(name);
  }

  /**
   * The element class of a name such as {@code [Ljava.lang.String;}; empty for arrays of
   * primitives.
   */
  private static String elementOf(String name) {
    int dimensions = name.lastIndexOf('[') + 1;
    if (dimensions == 0) {
      return name;
    }
    return name.startsWith("L", dimensions) && name.endsWith(";")
        ? name.substring(dimensions + 1, name.length() - 1)
        : "";
  }

  /** Whether answers may hold it; not for arrays. */
  boolean contains(Class<?> type) {
    if (type.getClassLoader() != loader) {
      return false;
    }
    if (type.isInterface() || Proxy.isProxyClass(type)) {
      return true; // nothing can be made of the one, and the other was made here, for a stub
    }
    lock.lock();
    try {
      Boolean known = decided.get(type);
      if (known == null) {
        known = isDeclared(type);
        decided.put(type, known);
      }
      return known;
    } catch (LinkageError | TypeNotPresentException incomplete) {
      return false;
    } finally {
      lock.unlock();
    }
  }

  private boolean isDeclared(Class<?> type) {
    boolean found = isValue(type) && declared.stream().anyMatch(one -> one.isAssignableFrom(type));
    if (found) {
      declare(type);
    }
    return found;
  }

  /** Objects that are called, or call, are none; remote ones come as stubs. */
  private static boolean isValue(Class<?> type) {
    return !InvocationHandler.class.isAssignableFrom(type) && !Remote.class.isAssignableFrom(type);
  }

  /** The class of stubs with these interfaces; unknown interfaces are left out. */
  Class<?> stubClass(Collection<String> interfaces) throws AnswerRefusedException {
    if (interfaces.size() > MAX_INTERFACES) {
      throw new AnswerRefusedException("a stub with " + interfaces.size() + " interfaces");
    }
    Map<String, Class<?>> known = new HashMap<>();
    for (String name : interfaces) {
      remoteInterface(name).ifPresent(type -> known.put(name, type));
    }
    Set<String> sorted = new TreeSet<>(known.keySet());
    lock.lock();
    try {
      Class<?> made = stubs.get(sorted);
      if (made == null) {
        if (stubs.size() >= MAX_STUB_CLASSES) {
          throw new AnswerRefusedException("a stub with yet other interfaces than all before it");
        }
        made = stubClass(sorted.stream().<Class<?>>map(known::get).toList());
        stubs.put(sorted, made);
      }
      return made;
    } finally {
      lock.unlock();
    }
  }

  private Class<?> stubClass(List<Class<?>> interfaces) throws AnswerRefusedException {
    try {
      return Proxy.newProxyInstance(
              loader, interfaces.toArray(new Class<?>[0]), new RemoteObjectInvocationHandler(null))
          .getClass();
    } catch (IllegalArgumentException | LinkageError e) {
      throw new AnswerRefusedException(
          "a stub with interfaces that do not fit: " + e.getMessage(), e);
    }
  }

  private Optional<Class<?>> remoteInterface(String name) {
    if (name.equals(Remote.class.getName())) {
      return Optional.of(Remote.class);
    }
    if (!exists.test(name)) {
      return Optional.empty(); // one of the server's that the jars here have not
    }
    try {
      Class<?> type = Class.forName(name, false, loader);
      return type.isInterface() && Remote.class.isAssignableFrom(type)
          ? Optional.of(type)
          : Optional.empty();
    } catch (ClassNotFoundException | LinkageError damaged) {
      return Optional.empty();
    }
  }
}
