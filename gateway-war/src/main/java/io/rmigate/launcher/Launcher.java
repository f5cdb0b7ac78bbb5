package io.rmigate.launcher;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URISyntaxException;
import java.net.URLClassLoader;
import java.nio.file.Path;

/**
 * Unpacks the libraries of its own WAR into a private directory, makes one class loader of them and
 * runs the stand-alone gateway in it. A WAR cannot be a class path: a JVM does not look into jars
 * inside a jar.
 */
public final class Launcher {
  private static final String MAIN = "io.rmigate.gateway.standalone.Standalone";

  private Launcher() {}

  /** Entry point of the manifest. */
  public static void main(String[] args) throws IOException {
    if (Runtime.version().feature() < 17) {
      System.err.println(
          "rmigate needs Java 17 or later; this is Java " + System.getProperty("java.version"));
      System.exit(2);
    }
    Path war = ownWar();
    UnpackedWar unpacked = UnpackedWar.unpack(war);
    int exitCode = 1;
    try {
      exitCode = run(unpacked, args);
    } finally {
      unpacked.close();
    }
    System.exit(exitCode);
  }

  private static Path ownWar() {
    try {
      return Path.of(Launcher.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException("the place of the WAR is not a file", e);
    }
  }

  private static int run(UnpackedWar unpacked, String[] args) throws IOException {
    // The platform's loader as parent: the gateway sees its own libraries and nothing else.
    URLClassLoader loader =
        new URLClassLoader("rmigate", unpacked.classPath(), ClassLoader.getPlatformClassLoader());
    Thread.currentThread().setContextClassLoader(loader);
    Runnable lastly =
        () -> {
          try {
            loader.close();
          } catch (IOException e) {
            System.err.println("rmigate: " + e);
          }
          unpacked.close();
        };
    try {
      return (int)
          Class.forName(MAIN, true, loader)
              .getMethod("run", String[].class, Runnable.class)
              .invoke(null, args, lastly);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw new IllegalStateException(e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this WAR is not complete", e);
    }
  }
}
