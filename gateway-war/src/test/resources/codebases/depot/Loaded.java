package depot;

import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Arrays;

/** Runs a program as Tomcat and Spring Boot do: its classes come from a URLClassLoader. */
public final class Loaded {
  private Loaded() {}

  public static void main(String[] arguments) throws Exception {
    URL classes = new File(arguments[0]).toURI().toURL();
    ClassLoader loader = new URLClassLoader(new URL[] {classes}, null);
    Thread.currentThread().setContextClassLoader(loader);
    loader
        .loadClass(arguments[1])
        .getMethod("main", String[].class)
        .invoke(null, (Object) Arrays.copyOfRange(arguments, 2, arguments.length));
  }
}
