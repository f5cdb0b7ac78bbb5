package io.rmigate.soap.testing;

import io.rmigate.soap.publish.NotPublishedException;
import io.rmigate.soap.publish.Publication;
import io.rmigate.soap.publish.PublishEntry;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * Compiles sources into a directory of jars, so that published classes are not on the tests' own
 * class path. A source is what stands behind the package and the usual imports; its public type is
 * {@code shop.Shop}.
 */
public final class Published {
  /** What every source begins with. */
  private static final String PROLOGUE =
      """
      package shop;
      import java.io.*;
      import java.math.*;
      import java.net.*;
      import java.rmi.*;
      import java.time.*;
      import java.util.*;
      import java.util.concurrent.*;
      """;

  private Published() {}

  /** Publishes {@code shop.Shop} from a source compiled with {@code -parameters}. */
  public static Publication shop(Path directory, String source) throws NotPublishedException {
    return Publication.of(PublishEntry.of("shop", "shop.Shop", jars(directory, source)));
  }

  /** Compiles into {@code directory/jars/shop.jar} and returns the directory of the jar. */
  public static Path jars(Path directory, String source, String... options) {
    Path jars = directory.resolve("jars");
    try {
      Files.createDirectories(jars);
      Path classes = Files.createTempDirectory(directory, "classes");
      compile(classes, source, options.length == 0 ? new String[] {"-parameters"} : options);
      pack(classes, jars.resolve("shop.jar"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return jars;
  }

  private static void compile(Path classes, String source, String... options) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    List<String> arguments = new ArrayList<>(List.of(options));
    arguments.addAll(List.of("-proc:none", "--release", "17", "-d", classes.toString()));
    // All they need is the JDK; to open the jars of the tests takes longer than all the rest.
    arguments.addAll(List.of("-classpath", classes.toString()));
    StringWriter messages = new StringWriter();
    JavaFileObject unit =
        new SimpleJavaFileObject(URI.create("string:///Shop.java"), JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return PROLOGUE + source;
          }
        };
    if (!compiler.getTask(messages, null, null, arguments, null, List.of(unit)).call()) {
      throw new AssertionError(messages.toString());
    }
  }

  /** All files below a directory, as a jar. */
  public static void pack(Path classes, Path jar) throws IOException {
    try (OutputStream out = Files.newOutputStream(jar);
        JarOutputStream entries = new JarOutputStream(out);
        Stream<Path> files = Files.walk(classes)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        entries.putNextEntry(new JarEntry(classes.relativize(file).toString().replace('\\', '/')));
        Files.copy(file, entries);
        entries.closeEntry();
      }
    }
  }
}
