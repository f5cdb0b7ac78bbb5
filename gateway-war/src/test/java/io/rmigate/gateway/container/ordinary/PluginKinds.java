package io.rmigate.gateway.container.ordinary;

import io.rmigate.gateway.container.ordinary.api.Item;
import io.rmigate.gateway.container.ordinary.api.Shelf;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.rmi.Remote;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/** Classes of a jar that the program loads itself, as a container does with its applications. */
final class PluginKinds {
  /** A remote interface whose name and methods are beyond ASCII. */
  static final String DIAL = "plugin.W\u00e4hlscheibe";

  private static final String SIZE = "plugin.Gr\u00f6\u00dfe";

  private final Kinds kinds;
  private final URLClassLoader loader;

  private PluginKinds(Kinds kinds, URLClassLoader loader) {
    this.kinds = kinds;
    this.loader = loader;
  }

  static void addTo(Kinds kinds, Path jar) throws Exception {
    PluginKinds group =
        new PluginKinds(
            kinds,
            new URLClassLoader(
                new URL[] {jar.toUri().toURL()}, PluginKinds.class.getClassLoader()));
    group.addKinds();
  }

  private void addKinds() {
    add("class of another loader", () -> shelf().item(plugin("lamp")));
    add(
        "classes of another loader in a list",
        () -> shelf().items(new ArrayList<>(List.of(plugin("lamp"), plugin("sofa")))));
    add("class of another loader as a serializable", () -> shelf().value(plugin("lamp")));
    add("class beyond ASCII", () -> shelf().item(size(5)));
    add("remote method beyond ASCII", () -> dial("w\u00e4hle", String.class, "\u00fc"));
    add(
        "remote method with a class beyond ASCII",
        () -> dial("gr\u00f6\u00dfe", loader.loadClass(SIZE), size(7)));
  }

  /** Runs it as the threads of a container do. */
  private void add(String name, Callable<?> call) {
    kinds.add(
        name,
        () -> {
          Thread thread = Thread.currentThread();
          ClassLoader before = thread.getContextClassLoader();
          thread.setContextClassLoader(loader);
          try {
            return call.call();
          } finally {
            thread.setContextClassLoader(before);
          }
        });
  }

  private Shelf shelf() throws Exception {
    return (Shelf) kinds.registry().lookup("Plugin");
  }

  private Item plugin(String label) throws Exception {
    return (Item) loader.loadClass("plugin.Plugin").getConstructor(String.class).newInstance(label);
  }

  private Item size(int height) throws Exception {
    Constructor<?> constructor = loader.loadClass(SIZE).getDeclaredConstructor(int.class);
    constructor.setAccessible(true);
    return (Item) constructor.newInstance(height);
  }

  private Object dial(String name, Class<?> parameter, Object argument) throws Exception {
    Remote dial = kinds.registry().lookup("Dial");
    Method method = loader.loadClass(DIAL).getDeclaredMethod(name, parameter);
    method.setAccessible(true);
    try {
      return method.invoke(dial, argument);
    } catch (InvocationTargetException e) {
      throw (Exception) e.getCause();
    }
  }
}
