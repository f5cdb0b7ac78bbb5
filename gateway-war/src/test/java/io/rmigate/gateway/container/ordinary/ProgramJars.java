package io.rmigate.gateway.container.ordinary;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.container.ordinary.api.Shop;
import io.rmigate.gateway.testing.BuiltArtefacts;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javax.tools.JavaCompiler;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/** The jars of the ordinary program, in a directory of their own. */
final class ProgramJars {
  private static final String RESOURCE = "/ordinary/Plugin.java";

  private final Path directory;

  /** Makes the directory with both jars. */
  ProgramJars(Path directory) throws IOException {
    this.directory = Files.createDirectories(directory);
    writeInterfaces();
    compilePlugin();
  }

  /** What an operator gives to the gateway. */
  Path directory() {
    return directory;
  }

  /** What client and server load by themselves. */
  Path plugin() {
    return directory.resolve("plugin.jar");
  }

  private void writeInterfaces() throws IOException {
    Path classes = BuiltArtefacts.codeSource(Shop.class);
    Path folder = classes.resolve(Shop.class.getPackageName().replace('.', '/'));
    List<Path> files;
    try (Stream<Path> all = Files.list(folder)) {
      files = all.sorted().toList();
    }
    try (ZipOutputStream jar =
        new ZipOutputStream(Files.newOutputStream(directory.resolve("api.jar")))) {
      for (Path file : files) {
        jar.putNextEntry(new ZipEntry(classes.relativize(file).toString().replace('\\', '/')));
        Files.copy(file, jar);
      }
    }
  }

  /** Right into the jar, because not each file system takes the names of its classes. */
  private void compilePlugin() throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (FileSystem jar =
            FileSystems.newFileSystem(
                URI.create("jar:" + plugin().toUri()), Map.of("create", "true"));
        StandardJavaFileManager files =
            compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
      files.setLocationFromPaths(StandardLocation.CLASS_OUTPUT, List.of(jar.getPath("/")));
      files.setLocationFromPaths(
          StandardLocation.CLASS_PATH, List.of(BuiltArtefacts.codeSource(Shop.class)));
      assertThat(
              compiler
                  .getTask(
                      null,
                      files,
                      null,
                      List.of("--release", "17", "-proc:none"),
                      null,
                      List.of(new Source()))
                  .call())
          .isTrue();
    }
  }

  /** The plugin's. */
  private static final class Source extends SimpleJavaFileObject {
    Source() {
      super(URI.create("string://" + RESOURCE), Kind.SOURCE);
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) throws IOException {
      try (InputStream in = ProgramJars.class.getResourceAsStream(RESOURCE)) {
        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
      }
    }
  }
}
