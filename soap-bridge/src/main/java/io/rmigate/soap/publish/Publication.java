package io.rmigate.soap.publish;

import io.rmigate.soap.type.ResolvedType;
import io.rmigate.soap.type.Shape;
import io.rmigate.soap.type.Shapes;
import io.rmigate.soap.type.UnmappableTypeException;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.rmi.Remote;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One published interface with its classes: its contract, and the contracts of all remote
 * interfaces to which it gives references. A change of the jars or of the entry makes a new
 * publication; the old one is to be closed when its last call has ended. Immutable but for that.
 */
public final class Publication implements AutoCloseable {
  private final PublishEntry entry;
  private final JarClasses classes;
  private final Map<Class<?>, Contract> contracts;
  private final List<Shape> types;

  private Publication(
      PublishEntry entry,
      JarClasses classes,
      Map<Class<?>, Contract> contracts,
      List<Shape> types) {
    this.entry = entry;
    this.classes = classes;
    this.contracts = contracts;
    this.types = types;
  }

  /**
   * Reads the jars and makes the contracts. No class is initialized.
   *
   * @throws NotPublishedException the entry names something that is not there or is no remote
   *     interface
   */
  public static Publication of(PublishEntry entry) throws NotPublishedException {
    JarClasses classes;
    try {
      classes = JarClasses.in(entry.jars());
    } catch (IOException e) {
      throw new NotPublishedException("jars of " + entry.path() + ": " + e.getMessage(), e);
    }
    try {
      return new Maker(entry, classes).make();
    } catch (ClassNotFoundException e) {
      throw new NotPublishedException(
          "not in the jars of " + entry.path() + ": " + e.getMessage(), e);
    } catch (LinkageError | RuntimeException | StackOverflowError | AssertionError e) {
      // Class files can say what no compiler writes: one entry must not stop the others.
      throw new NotPublishedException(
          "the jars of " + entry.path() + " are not complete, or damaged: " + e, e);
    }
  }

  /** The entry that asked for this publication. */
  public PublishEntry entry() {
    return entry;
  }

  /** The contract of the published interface itself. */
  public Contract contract() {
    return contracts.values().iterator().next();
  }

  /** The published contract, and those of all interfaces to which references lead. */
  public List<Contract> contracts() {
    return List.copyOf(contracts.values());
  }

  /** The contract of a remote interface. */
  public Optional<Contract> contract(Class<?> type) {
    return Optional.ofNullable(contracts.get(type));
  }

  /** The structures, choices, enums and references of all contracts, by their unique labels. */
  public List<Shape> types() {
    return types;
  }

  /** Which names of classes the jars have. Asking loads nothing, and does not hold this. */
  public Predicate<String> classNames() {
    return classes::has;
  }

  /** The loader with which replies are to be unmarshalled. */
  public ClassLoader loader() {
    return classes;
  }

  @Override
  public void close() {
    classes.close();
  }

  private static final class Maker {
    private final PublishEntry entry;
    private final JarClasses classes;
    private final Class<?> published;
    private final Shapes shapes;
    private List<Class<?>> servants;

    Maker(PublishEntry entry, JarClasses classes)
        throws ClassNotFoundException, NotPublishedException {
      this.entry = entry;
      this.classes = classes;
      published = classes.named(entry.interfaceName());
      if (!published.isInterface() || !Remote.class.isAssignableFrom(published)) {
        throw new NotPublishedException(entry.interfaceName() + " is no remote interface");
      }
      Map<Class<?>, List<Class<?>>> configured = new HashMap<>();
      for (Map.Entry<String, List<String>> e : entry.implementations().entrySet()) {
        configured.put(classes.named(e.getKey()), implementations(e.getKey(), e.getValue()));
      }
      shapes = new Shapes(configured);
    }

    private List<Class<?>> implementations(String of, List<String> names)
        throws ClassNotFoundException, NotPublishedException {
      List<Class<?>> found = new ArrayList<>();
      for (String name : names) {
        Class<?> implementation = classes.named(name);
        if (!classes.named(of).isAssignableFrom(implementation)) {
          throw new NotPublishedException(name + " is no implementation of " + of);
        }
        found.add(implementation);
      }
      return found;
    }

    Publication make() throws NotPublishedException {
      Map<Class<?>, Contract> contracts = new LinkedHashMap<>();
      contracts.put(published, contract(published));
      // Contracts of references may have references of their own.
      for (int before = 0; before < contracts.size(); ) {
        before = contracts.size();
        for (Class<?> reference : shapes.references()) {
          if (!contracts.containsKey(reference)) {
            contracts.put(reference, contract(reference));
          }
        }
      }
      everyMethodMustBeThere(contracts);
      return new Publication(entry, classes, contracts, shapes.named());
    }

    private Contract contract(Class<?> type) throws NotPublishedException {
      try {
        String name = shapes.of(ResolvedType.of(type)).label();
        return new ContractMaker(type, name, shapes, entry, this::servants).make();
      } catch (UnmappableTypeException e) {
        throw new NotPublishedException(e.getMessage(), e);
      }
    }

    /** Implementations of remote interfaces, whose debug information names parameters. */
    private List<Class<?>> servants() {
      if (servants == null) {
        servants = new ArrayList<>();
        for (String name : classes.names()) {
          try {
            Class<?> type = classes.named(name);
            if (Remote.class.isAssignableFrom(type) && !Modifier.isAbstract(type.getModifiers())) {
              servants.add(type);
            }
          } catch (ClassNotFoundException e) {
            // Something of a server that is not here; it only could have given names.
          }
        }
      }
      return servants;
    }

    /** A name that fits nothing is a mistake of writing, which may publish less than was meant. */
    private void everyMethodMustBeThere(Map<Class<?>, Contract> contracts)
        throws NotPublishedException {
      for (String method : entry.methods()) {
        if (contracts.keySet().stream().noneMatch(type -> entry.names(type, method))) {
          throw new NotPublishedException(
              method.indexOf('.') < 0
                  ? published.getName() + " has no method " + method
                  : "no interface of " + published.getName() + " has a method " + method);
        }
      }
      Set<String> signatures =
          contracts.keySet().stream()
              .flatMap(type -> Stream.of(type.getMethods()))
              .map(MethodSignature::of)
              .collect(Collectors.toSet());
      for (String signature : entry.names().keySet()) {
        if (!signatures.contains(signature)) {
          throw new NotPublishedException(published.getName() + " has no method " + signature);
        }
      }
    }
  }
}
