package io.rmigate.client.program.command;

import io.rmigate.client.config.ClientConfigException;
import io.rmigate.client.config.CommandLine;
import io.rmigate.client.program.doctor.Target;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.rmi.registry.LocateRegistry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** {@code java -jar rmigate-client.jar call …}: calls a method of a bound object. */
final class CallCommand extends ApplicationCommand {
  private static final String INTERFACES = "interfaces";

  CallCommand() {
    super("call");
  }

  @Override
  String help() {
    return """
    usage: java -jar rmigate-client.jar call rmi://host:port/name [METHOD [ARGUMENT...]]
             --interfaces JAR[:JAR|:DIR] [--gateway URL] [options]

    Calls a method of the object that is bound to the name, and prints the result; without METHOD
    lists the methods. Through the gateway if one is configured, else by plain RMI.

      --interfaces   jars with the remote interface and the classes of its values, or directories of
                     such jars
      --             end of the options: the arguments behind it may begin with --
      --help

    ARGUMENTs are numbers, true, false, text, null, [1,2,3] for arrays, names of enum constants,
    dates and times in ISO 8601. Of overloaded methods the first that accepts the arguments is called.

    The call is made by the JDK's RMI. This JVM deserializes only classes of the interface jars and
    values of the JDK; it refuses other classes.

    exit code: 0 done, 1 the call failed, 2 command line not valid. All keys of the client are
    options too.

    """;
  }

  @Override
  CommandLine parse(List<String> arguments) {
    return CommandLine.parse(arguments, Set.of(INTERFACES), Set.of());
  }

  @Override
  void run(CommandLine line, PrintStream out) throws Exception {
    if (line.words().isEmpty()
        || !(Target.parse(line.words().get(0)) instanceof Target.Bound target)
        || target.name().isEmpty()) {
      throw new ClientConfigException("expected rmi://host:port/name, then METHOD");
    }
    ClassLoader interfaces = loader(line.option(INTERFACES).orElse(""));
    filter(Optional.of(interfaces));
    tunnel(line, Optional.of(target.registry()));
    Thread.currentThread().setContextClassLoader(interfaces);
    Object stub =
        LocateRegistry.getRegistry(target.registry().host(), target.registry().port())
            .lookup(target.name());
    List<Method> methods = methods(stub);
    if (line.words().size() == 1) {
      methods.forEach(method -> out.println(signature(method)));
      return;
    }
    List<String> arguments = line.words().subList(2, line.words().size());
    Object result = call(stub, methods, line.words().get(1), arguments);
    if (result != NOTHING) {
      out.println(ValueText.of(result));
    }
  }

  /** The result of a void method. */
  private static final Object NOTHING = new Object();

  private static Object call(Object stub, List<Method> methods, String name, List<String> texts)
      throws Exception {
    List<Method> named = methods.stream().filter(method -> method.getName().equals(name)).toList();
    Map<Method, String> problems = new LinkedHashMap<>();
    for (Method method : named) {
      try {
        Object[] arguments = arguments(method, texts);
        return invoke(stub, method, arguments);
      } catch (ClientConfigException doesNotFit) {
        problems.put(method, doesNotFit.getMessage());
      }
    }
    throw new ClientConfigException(
        named.isEmpty()
            ? "there is no method "
                + name
                + "; there are "
                + methods.stream().map(Method::getName).distinct().collect(Collectors.joining(", "))
            : problems.entrySet().stream()
                .map(problem -> signature(problem.getKey()) + ": " + problem.getValue())
                .collect(Collectors.joining("; ")));
  }

  private static Object[] arguments(Method method, List<String> texts) {
    Class<?>[] types = method.getParameterTypes();
    if (types.length != texts.size()) {
      throw new ClientConfigException("it takes " + types.length + ", not " + texts.size());
    }
    Object[] values = new Object[types.length];
    for (int i = 0; i < types.length; i++) {
      try {
        values[i] = ArgumentText.parse(texts.get(i), types[i]);
      } catch (IllegalArgumentException e) {
        throw new ClientConfigException(e.getMessage());
      }
    }
    return values;
  }

  private static Object invoke(Object stub, Method method, Object[] arguments) throws Exception {
    try {
      method.setAccessible(true); // the interface need not be public
      Object result = method.invoke(stub, arguments);
      return method.getReturnType() == void.class ? NOTHING : result;
    } catch (InvocationTargetException thrown) {
      if (thrown.getCause() instanceof Exception exception) {
        throw exception;
      }
      throw thrown;
    }
  }

  private static List<Method> methods(Object stub) {
    return Arrays.stream(stub.getClass().getInterfaces())
        .filter(type -> type != java.rmi.Remote.class)
        .flatMap(type -> Arrays.stream(type.getMethods()))
        .distinct()
        .sorted(java.util.Comparator.comparing(CallCommand::signature))
        .toList();
  }

  /** {@code int add(int, int)}. */
  private static String signature(Method method) {
    return method.getReturnType().getTypeName()
        + " "
        + method.getName()
        + Arrays.stream(method.getParameterTypes())
            .map(Class::getTypeName)
            .collect(Collectors.joining(", ", "(", ")"));
  }

  private static ClassLoader loader(String path) throws IOException {
    List<URL> urls = new ArrayList<>();
    for (String element : path.split(File.pathSeparator, -1)) {
      if (element.isBlank()) {
        continue;
      }
      Path file = Path.of(element);
      if (!Files.exists(file)) {
        throw new ClientConfigException("option --interfaces: there is no " + element);
      }
      urls.add(file.toUri().toURL());
      if (Files.isDirectory(file)) {
        try (Stream<Path> jars = Files.list(file)) {
          for (Path jar : jars.filter(f -> f.toString().endsWith(".jar")).sorted().toList()) {
            urls.add(jar.toUri().toURL());
          }
        }
      }
    }
    // Not closed: classes are loaded from it until the process ends, right after the call.
    return new URLClassLoader(
        "interfaces", urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
  }
}
