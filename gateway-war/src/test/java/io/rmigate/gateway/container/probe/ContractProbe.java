package io.rmigate.gateway.container.probe;

import io.rmigate.gateway.container.sockets.PlainSockets;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * The client's main class: reads names of cases from standard input, runs each, and answers {@code
 * PASS <name> <milliseconds>} or, after the stack trace, {@code FAIL <name>}. Ends with its input.
 */
public final class ContractProbe {
  private static final List<Class<?>> GROUPS =
      List.of(
          ValueCases.class,
          PayloadCases.class,
          FailureCases.class,
          ReferenceCases.class,
          RegistryCases.class,
          ConnectionCases.class,
          ConcurrencyCases.class,
          ManagementCases.class);

  /** System property of a client that has a global socket factory of its own. */
  public static final String OWN_FACTORY = "probe.ownFactory";

  private ContractProbe() {}

  /** Names of the cases that run on this way, grouped, in a fixed order. */
  public static Stream<String> cases(Way way) {
    return GROUPS.stream()
        .flatMap(
            group ->
                methods(group)
                    .filter(m -> List.of(m.getAnnotation(Case.class).on()).contains(way))
                    .map(Method::getName)
                    .sorted());
  }

  private static Stream<Method> methods(Class<?> group) {
    return Arrays.stream(group.getDeclaredMethods())
        .filter(method -> method.isAnnotationPresent(Case.class));
  }

  /** Takes the arguments that {@link Inside#toArguments} makes. */
  public static void main(String[] args) throws IOException {
    if (Boolean.getBoolean(OWN_FACTORY)) {
      PlainSockets.install();
    }
    Inside inside = Inside.fromArguments(args);
    BufferedReader names =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    System.out.println("probe ready");
    for (String name = names.readLine(); name != null; name = names.readLine()) {
      run(name, inside);
    }
    System.exit(0);
  }

  private static void run(String name, Inside inside) {
    long start = System.nanoTime();
    Throwable failure = null;
    try {
      Method method =
          GROUPS.stream()
              .flatMap(ContractProbe::methods)
              .filter(m -> m.getName().equals(name))
              .findFirst()
              .orElseThrow(() -> new IllegalArgumentException("no case " + name));
      method.invoke(
          method.getDeclaringClass().getDeclaredConstructor(Inside.class).newInstance(inside));
    } catch (InvocationTargetException e) {
      failure = e.getCause();
    } catch (ReflectiveOperationException | RuntimeException e) {
      failure = e;
    }
    if (failure == null) {
      System.out.println("PASS " + name + " " + (System.nanoTime() - start) / 1_000_000);
    } else {
      failure.printStackTrace(System.out);
      System.out.println("FAIL " + name);
    }
  }
}
