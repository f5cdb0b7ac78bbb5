package io.rmigate.soap.soap;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.tools.ws.wscompile.WsimportTool;
import io.rmigate.soap.testing.RunningShop;
import io.rmigate.soap.testing.SoapServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
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
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What Metro's own tool makes of our WSDL, compiled and called with. */
class WsimportTest {
  private static RunningShop shop;
  private static SoapServer server;

  @BeforeAll
  static void start(@TempDir Path directory) throws Exception {
    shop = RunningShop.in(directory);
    server =
        new SoapServer(
            shop, new SoapDialect(SoapLimits.DEFAULT).front(shop.publication().contract()));
  }

  @AfterAll
  static void stop() throws Exception {
    server.close();
    shop.close();
  }

  private static void generate(Path directory, String query) {
    ByteArrayOutputStream messages = new ByteArrayOutputStream();
    boolean done =
        new WsimportTool(messages)
            .run(
                new String[] {
                  "-extension",
                  "-Xnocompile",
                  "-quiet",
                  "-keep",
                  "-d",
                  directory.toString(),
                  server.address() + query
                });
    assertThat(done).as(messages.toString(StandardCharsets.UTF_8)).isTrue();
    assertThat(messages.toString(StandardCharsets.UTF_8)).doesNotContain("WARNING", "ERROR");
  }

  private static void compile(Path directory) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter messages = new StringWriter();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
        Stream<Path> sources = Files.walk(directory)) {
      List<Path> all = sources.filter(file -> file.toString().endsWith(".java")).toList();
      List<String> options = List.of("-proc:none", "-d", directory.toString());
      boolean done =
          compiler
              .getTask(messages, files, null, options, null, files.getJavaFileObjectsFromPaths(all))
              .call();
      assertThat(done).as(messages.toString()).isTrue();
    }
  }

  /** As a client that is not ours sees it: values, null, choices, a fault, references, bytes. */
  @Test
  void classesOfTheWsdlCallInEachVersionAndWithAttachments(@TempDir Path directory)
      throws Exception {
    generate(directory, "?wsdl");
    try (InputStream client = WsimportTest.class.getResourceAsStream("/samples/ShopClient.java")) {
      Files.copy(client, directory.resolve("ShopClient.java"));
    }
    compile(directory);
    server.contentTypes().clear();

    String seen;
    try (URLClassLoader loader =
        new URLClassLoader(
            new URL[] {directory.toUri().toURL()}, WsimportTest.class.getClassLoader())) {
      seen =
          (String)
              loader
                  .loadClass("ShopClient")
                  .getMethod("run", String.class)
                  .invoke(null, server.address().toString());
    }

    String each =
        "[0, 1, 2] [GARDEN] \u010d & <[a, b]Dear \u010d & < 7 true 3only 3 of G-1 left 0\n";
    assertThat(seen).isEqualTo(each + each + "1048576 0 1\n");
    assertThat(String.join("\n", server.contentTypes()))
        .contains("text/xml", "application/soap+xml", "multipart/related");
  }

  @ParameterizedTest
  @ValueSource(strings = {"?wsdl&linked", "?wsdl=Basket", "?wsdl=Basket&linked"})
  void everyFormIsUnderstood(String query, @TempDir Path directory) throws Exception {
    generate(directory, query);

    compile(directory);

    assertThat(directory).isDirectoryRecursivelyContaining("glob:**/*Service.class");
  }

  @ParameterizedTest
  @ValueSource(strings = {"wsdl=Other", "xsd", "xsd=other", "x", ""})
  void whatIsNotThereIsNotDescribed(String query) {
    assertThat(
            new SoapDescription(
                    shop.publication(),
                    shop.publication().contract(),
                    server.address(),
                    shop.caller().permission())
                .document(query))
        .isEmpty();
  }
}
