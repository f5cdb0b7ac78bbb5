package io.rmigate.gateway.container.services;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.tools.ws.wscompile.WsimportTool;
import java.io.ByteArrayOutputStream;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * What Metro's wsimport makes of WSDL documents, and a client that is written with it.
 *
 * @param directory for sources and classes
 */
record WsdlClasses(Path directory) {

  /** Into a package of its own: contracts of one Java package would share their factories. */
  void generate(String wsdl, String intoPackage) {
    ByteArrayOutputStream messages = new ByteArrayOutputStream();
    boolean done =
        new WsimportTool(messages)
            .run(
                new String[] {
                  "-extension",
                  "-Xnocompile",
                  "-quiet",
                  "-keep",
                  "-p",
                  intoPackage,
                  "-d",
                  directory.toString(),
                  wsdl
                });
    assertThat(done).as(messages.toString(StandardCharsets.UTF_8)).isTrue();
    assertThat(messages.toString(StandardCharsets.UTF_8)).doesNotContain("WARNING", "ERROR");
  }

  /** All that has been made, and the client, which is there too. */
  void compile(Path client) throws Exception {
    assertThat(client.getParent()).isEqualTo(directory);
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter messages = new StringWriter();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
        Stream<Path> sources = Files.walk(directory)) {
      List<Path> all = sources.filter(file -> file.toString().endsWith(".java")).toList();
      List<String> options = List.of("-proc:none", "-nowarn", "-d", directory.toString());
      boolean done =
          compiler
              .getTask(messages, files, null, options, null, files.getJavaFileObjectsFromPaths(all))
              .call();
      assertThat(done).as(messages.toString()).isTrue();
    }
  }

  /** Calls a static method of the client. */
  String call(String type, String method, String argument) throws Exception {
    try (URLClassLoader loader =
        new URLClassLoader(
            new URL[] {directory.toUri().toURL()}, WsdlClasses.class.getClassLoader())) {
      return (String) loader.loadClass(type).getMethod(method, String.class).invoke(null, argument);
    }
  }
}
