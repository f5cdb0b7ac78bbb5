package io.rmigate.soap.publish;

import io.rmigate.soap.publish.Operation.Parameter;
import io.rmigate.soap.publish.PublishEntry.MethodNames;
import io.rmigate.soap.type.ResolvedType;
import io.rmigate.soap.type.Shape;
import io.rmigate.soap.type.Shapes;
import io.rmigate.soap.type.Structure;
import io.rmigate.soap.type.UnmappableTypeException;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.rmi.RemoteException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Makes the contract of one remote interface: each method becomes an operation, or a refusal that
 * does not stop the rest.
 */
final class ContractMaker {
  /** Behind the name of an operation, it is the name of its answer. */
  private static final String RESPONSE = "Response";

  private final Class<?> type;
  private final String name;
  private final Shapes shapes;
  private final PublishEntry entry;
  private final RemoteMethods methods;
  private final List<Refusal> refusals = new ArrayList<>();

  ContractMaker(
      Class<?> type,
      String name,
      Shapes shapes,
      PublishEntry entry,
      Supplier<List<Class<?>>> implementations) {
    this.type = type;
    this.name = name;
    this.shapes = shapes;
    this.entry = entry;
    methods = new RemoteMethods(type, implementations);
  }

  Contract make() {
    List<Method> published =
        methods.all().stream().filter(m -> entry.publishes(type, m.getName())).toList();
    Map<Method, String> names = operationNames(published);
    List<Operation> operations = new ArrayList<>();
    for (Method method : published) {
      try {
        operations.add(operation(method, names.get(method)));
      } catch (UnmappableTypeException e) {
        refuse(MethodSignature.of(method), e);
      } catch (LinkageError | TypeNotPresentException e) {
        refuse(MethodSignature.of(method), missing(e));
      }
    }
    return new Contract(type, name, operations, refusals);
  }

  private static UnmappableTypeException missing(Throwable e) {
    return new UnmappableTypeException(
        "needs a class that is not there (" + e.getMessage() + ")", "add its jar to the directory");
  }

  private void refuse(String subject, UnmappableTypeException why) {
    refusals.add(new Refusal(subject, why.reason(), why.remedy()));
  }

  /**
   * A method without overloads keeps its name; of overloads each has the types of its parameters
   * behind it, so that none changes its name when another comes. The name of an operation, and that
   * with "Response" behind it, are elements and messages of one WSDL, beside those of faults: what
   * would be there twice has a number behind it. Configured names come first, and then the shorter
   * of two.
   */
  private Map<Method, String> operationNames(List<Method> published) {
    Map<String, Long> overloads =
        published.stream().collect(Collectors.groupingBy(Method::getName, Collectors.counting()));
    Map<Method, String> wishes = new HashMap<>();
    published.forEach(
        m ->
            wishes.put(
                m,
                configured(m)
                    .orElseGet(
                        () ->
                            overloads.get(m.getName()) == 1
                                ? m.getName()
                                : MethodSignature.operation(m))));
    Map<Method, String> names = new HashMap<>();
    Set<String> taken = new HashSet<>(faultNames(published));
    published.stream()
        .sorted(
            Comparator.<Method, Boolean>comparing(m -> configured(m).isEmpty())
                .thenComparing(m -> wishes.get(m).length()))
        .forEach(
            m -> {
              String wished = wishes.get(m);
              String name = wished;
              for (int i = 2; taken.contains(name) || taken.contains(name + RESPONSE); i++) {
                name = wished + "_" + i;
              }
              taken.add(name);
              taken.add(name + RESPONSE);
              names.put(m, name);
            });
    return names;
  }

  private static Set<String> faultNames(List<Method> published) {
    return published.stream()
        .flatMap(method -> declaredFaults(method).stream())
        .map(Class::getSimpleName)
        .flatMap(name -> Stream.of(name, name + "Fault"))
        .collect(Collectors.toSet());
  }

  private Optional<MethodNames> names(Method method) {
    return Optional.ofNullable(entry.names().get(MethodSignature.of(method)));
  }

  private Optional<String> configured(Method method) {
    return names(method).map(MethodNames::operation).filter(operation -> !operation.isEmpty());
  }

  private Operation operation(Method method, String operation) throws UnmappableTypeException {
    if (!RemoteMethods.canFailRemotely(method)) {
      throw new UnmappableTypeException(
          "does not declare java.rmi.RemoteException, so RMI refuses it", "declare it");
    }
    return new Operation(
        operation, method, parameters(method), result(method), faults(method, operation));
  }

  private List<Parameter> parameters(Method method) throws UnmappableTypeException {
    Type[] types = method.getGenericParameterTypes();
    List<String> parameterNames = parameterNames(method);
    List<Parameter> parameters = new ArrayList<>();
    for (int i = 0; i < types.length; i++) {
      String parameter = parameterNames.get(i);
      try {
        Shape shape = shapes.of(resolve(method, types[i]));
        shapes.mustBeMakeable(shape);
        parameters.add(new Parameter(parameter, shape));
      } catch (UnmappableTypeException e) {
        throw e.at("parameter " + parameter);
      }
    }
    return parameters;
  }

  private List<String> parameterNames(Method method) throws UnmappableTypeException {
    List<String> found = methods.parameterNames(method);
    List<String> wished = names(method).map(MethodNames::parameters).orElse(List.of());
    if (wished.isEmpty()) {
      return found;
    }
    if (wished.size() != found.size() || Set.copyOf(wished).size() != wished.size()) {
      throw new UnmappableTypeException(
          "its configured parameter names " + wished + " do not fit",
          "give each of its " + found.size() + " parameters one name");
    }
    return wished;
  }

  private Optional<Shape> result(Method method) throws UnmappableTypeException {
    if (method.getReturnType() == void.class) {
      return Optional.empty();
    }
    try {
      return Optional.of(shapes.of(resolve(method, method.getGenericReturnType())));
    } catch (UnmappableTypeException e) {
      throw e.at("result");
    }
  }

  /** Exceptions of a method that become faults, without RMI's own and their supertypes. */
  private static List<Class<?>> declaredFaults(Method method) {
    return Stream.of(method.getExceptionTypes())
        .filter(e -> !RemoteException.class.isAssignableFrom(e))
        .filter(e -> !e.isAssignableFrom(IOException.class))
        .filter(e -> Exception.class.isAssignableFrom(e) && e != RuntimeException.class)
        .sorted(Comparator.comparingInt(e -> -inheritance(e)))
        .<Class<?>>map(e -> e)
        .toList();
  }

  private List<Structure> faults(Method method, String operation) {
    List<Structure> faults = new ArrayList<>();
    for (Class<?> exception : declaredFaults(method)) {
      try {
        faults.add(shapes.ofException(exception));
      } catch (UnmappableTypeException e) {
        refuse(operation + " throws " + exception.getSimpleName(), e);
      }
    }
    return faults;
  }

  private static int inheritance(Class<?> type) {
    return type == null ? 0 : 1 + inheritance(type.getSuperclass());
  }

  /** In the terms of this interface, which may bind variables of the one that declares it. */
  private ResolvedType resolve(Method method, Type of) {
    ResolvedType declaring =
        ResolvedType.of(type).as(method.getDeclaringClass()).orElseThrow(AssertionError::new);
    return ResolvedType.of(of, declaring.bindings());
  }
}
