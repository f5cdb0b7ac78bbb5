package io.rmigate.gateway.bridge;

import io.rmigate.soap.publish.NotPublishedException;
import io.rmigate.soap.publish.Publication;
import io.rmigate.soap.publish.PublishEntry;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StringWriter;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * {@code bridge/Desk.java} of the test's resources, compiled into a jar: the server's classes and
 * the publication's are so of two loaders, as in life.
 */
final class DeskJar {
  private final Path jars;

  /** Compiles into {@code directory/jars}. */
  DeskJar(Path directory) throws IOException {
    jars = Files.createDirectories(directory.resolve("jars"));
    Path classes = Files.createTempDirectory(directory, "classes");
    compile(classes);
    try (OutputStream out = Files.newOutputStream(jars.resolve("desk.jar"));
        JarOutputStream entries = new JarOutputStream(out);
        Stream<Path> files = Files.walk(classes)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        entries.putNextEntry(new JarEntry(classes.relativize(file).toString()));
        Files.copy(file, entries);
        entries.closeEntry();
      }
    }
  }

  private static void compile(Path classes) throws IOException {
    String source;
    try (InputStream in = DeskJar.class.getResourceAsStream("/bridge/Desk.java")) {
      source = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
    JavaFileObject unit =
        new SimpleJavaFileObject(URI.create("string:///Desk.java"), JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return source;
          }
        };
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter messages = new StringWriter();
    List<String> options =
        List.of("-proc:none", "--release", "17", "-parameters", "-d", classes.toString());
    if (!compiler.getTask(messages, null, null, options, null, List.of(unit)).call()) {
      throw new AssertionError(messages.toString());
    }
  }

  /** Publishes {@code desk.Desk}. */
  Publication publish() throws NotPublishedException {
    return Publication.of(PublishEntry.of("desk", "desk.Desk", jars));
  }

  /** A loader for a server, or for a stock client. */
  URLClassLoader loader() throws IOException {
    return new URLClassLoader(
        new URL[] {jars.resolve("desk.jar").toUri().toURL()}, ClassLoader.getPlatformClassLoader());
  }
}
