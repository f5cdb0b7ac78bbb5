package io.rmigate.gateway.container.kits;

import groovy.lang.GroovyShell;
import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.sample.SampleServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;
import org.w3c.dom.Document;

/** The scripts of {@code deploy/tools/rmi.jmx}, run by Groovy as JMeter's elements for them do. */
public final class JmeterScripts {
  /** The program that runs them. */
  public static final String MAIN = "groovy.ui.GroovyMain";

  /** What JSR 223 elements of JMeter give a script of what they have. */
  private static final String HARNESS =
      """
      class Variables {
        def objects = [:]
        def getObject(String name) { objects[name] }
        void putObject(String name, value) { objects[name] = value }
      }
      def props = new Properties()
      props.putAll(host: args[0], port: args[1])
      def shell = new GroovyShell(new Binding(vars: new Variables(), props: props))
      def before = shell.parse(new File(args[2]))
      def sampler = shell.parse(new File(args[3]))
      (args[4] as int).times { before.run(); println 'sample ' + sampler.run() }
      """;

  private JmeterScripts() {}

  /** What the program needs. */
  public static Path[] classPath() {
    return new Path[] {
      BuiltArtefacts.codeSource(GroovyShell.class), BuiltArtefacts.codeSource(SampleServer.class)
    };
  }

  /**
   * Arguments of a program that prints a line that begins with {@code sample} for each call.
   *
   * @param directory for the scripts
   */
  public static String[] arguments(Path directory, String host, String port, int calls)
      throws Exception {
    Document plan = plan();
    return new String[] {
      file(directory, "harness", HARNESS),
      host,
      port,
      file(directory, "before", script(plan, "JSR223PreProcessor")),
      file(directory, "sampler", script(plan, "JSR223Sampler")),
      Integer.toString(calls)
    };
  }

  static Document plan() throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(KitFile.path("tools/rmi.jmx").toFile());
  }

  private static String file(Path directory, String name, String script) throws IOException {
    return Files.writeString(directory.resolve(name + ".groovy"), script).toString();
  }

  private static String script(Document plan, String element) throws XPathExpressionException {
    String language = property(plan, element, "scriptLanguage");
    if (!language.equals("groovy")) {
      throw new AssertionError(element + " is in " + language);
    }
    return property(plan, element, "script");
  }

  private static String property(Document plan, String element, String name)
      throws XPathExpressionException {
    return XPathFactory.newInstance()
        .newXPath()
        .evaluate("//" + element + "/stringProp[@name='" + name + "']", plan);
  }
}
