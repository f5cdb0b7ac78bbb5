package io.rmigate.gateway.testing;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * Java sources compiled in memory and put into jars: so that names of classes may have any script,
 * which file systems need not take.
 */
public final class SourceJar {
  private final Map<String, ByteArrayOutputStream> files = new TreeMap<>();

  /**
   * Compiles.
   *
   * @param sources by the names of their classes, such as {@code desk.Desk}
   */
  public SourceJar(Map<String, String> sources) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    List<JavaFileObject> units = new ArrayList<>();
    sources.forEach((name, text) -> units.add(source(name, text)));
    StringWriter messages = new StringWriter();
    try (JavaFileManager standard = compiler.getStandardFileManager(null, null, null);
        JavaFileManager memory = inMemory(standard)) {
      List<String> options = List.of("-proc:none", "-nowarn", "--release", "17");
      if (!compiler.getTask(messages, memory, null, options, null, units).call()) {
        throw new AssertionError(messages.toString());
      }
    }
  }

  private static JavaFileObject source(String name, String text) {
    URI uri = URI.create("string:///" + name.hashCode() + JavaFileObject.Kind.SOURCE.extension);
    return new SimpleJavaFileObject(uri, JavaFileObject.Kind.SOURCE) {
      @Override
      public CharSequence getCharContent(boolean ignoreEncodingErrors) {
        return text;
      }

      @Override
      public boolean isNameCompatible(String simpleName, Kind itsKind) {
        return true;
      }
    };
  }

  private JavaFileManager inMemory(JavaFileManager standard) {
    return new ForwardingJavaFileManager<>(standard) {
      @Override
      public JavaFileObject getJavaFileForOutput(
          Location location, String name, JavaFileObject.Kind kind, FileObject sibling) {
        return new SimpleJavaFileObject(URI.create("bytes:///" + files.size()), kind) {
          @Override
          public OutputStream openOutputStream() {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            files.put(name.replace('.', '/') + kind.extension, bytes);
            return bytes;
          }
        };
      }
    };
  }

  /** Writes the classes whose names, as in {@code desk/Desk$Item.class}, are wanted. */
  public Path write(Path jar, Predicate<String> wanted) throws IOException {
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
      for (Map.Entry<String, ByteArrayOutputStream> file : files.entrySet()) {
        if (wanted.test(file.getKey())) {
          out.putNextEntry(new JarEntry(file.getKey()));
          file.getValue().writeTo(out);
          out.closeEntry();
        }
      }
    }
    return jar;
  }
}
