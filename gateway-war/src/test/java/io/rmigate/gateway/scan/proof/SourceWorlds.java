package io.rmigate.gateway.scan.proof;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Compiles {@link RandomSources} in memory. */
final class SourceWorlds {
  private static final List<String> OPTIONS =
      List.of("--release", "17", "-proc:none", "-nowarn", "-Xlint:none", "-g:none");

  private SourceWorlds() {}

  /** Class files by package and internal name. */
  static Map<String, Map<String, byte[]>> compile(List<RandomSources.Source> sources)
      throws java.io.IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
    Map<String, Map<String, byte[]>> files = new TreeMap<>();
    try (StandardJavaFileManager standard = compiler.getStandardFileManager(problems, null, null);
        Memory memory = new Memory(standard)) {
      List<Text> texts = sources.stream().map(Text::new).toList();
      boolean compiled = compiler.getTask(null, memory, problems, OPTIONS, null, texts).call();
      if (!compiled) {
        throw new AssertionError(problems.getDiagnostics());
      }
      memory.written.forEach(
          (name, bytes) ->
              files
                  .computeIfAbsent(name.substring(0, name.indexOf('.')), first -> new TreeMap<>())
                  .put(name.replace('.', '/'), bytes.toByteArray()));
    }
    return files;
  }

  private static final class Text extends SimpleJavaFileObject {
    private final String text;

    Text(RandomSources.Source source) {
      super(URI.create("memory:///" + source.packageName() + "/All.java"), Kind.SOURCE);
      text = source.text();
    }

    @Override
    public CharSequence getCharContent(boolean ignoreErrors) {
      return text;
    }
  }

  private static final class Memory extends ForwardingJavaFileManager<JavaFileManager> {
    final Map<String, ByteArrayOutputStream> written = new TreeMap<>();

    Memory(JavaFileManager standard) {
      super(standard);
    }

    @Override
    public JavaFileObject getJavaFileForOutput(
        Location location, String name, JavaFileObject.Kind kind, FileObject sibling) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      written.put(name, bytes);
      return new SimpleJavaFileObject(URI.create("memory:///" + name + ".class"), kind) {
        @Override
        public OutputStream openOutputStream() {
          return bytes;
        }
      };
    }
  }
}
