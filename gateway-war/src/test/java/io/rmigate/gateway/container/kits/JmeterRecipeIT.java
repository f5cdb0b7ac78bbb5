package io.rmigate.gateway.container.kits;

import static org.assertj.core.api.Assertions.assertThat;

import groovy.lang.GroovyShell;
import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.InsideHosts;
import io.rmigate.gateway.testing.LeftoverCheck;
import io.rmigate.sample.SampleServer;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * {@code deploy/tools/rmi.jmx}: its scripts, run by Groovy as JMeter's elements for them do, and
 * what its structure has to be. JMeter itself is not here.
 */
@ExtendWith(LeftoverCheck.class)
class JmeterRecipeIT {
  private static final int CALLS = 3;

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

  private final Document plan = plan();

  private static Document plan() {
    try {
      return DocumentBuilderFactory.newInstance()
          .newDocumentBuilder()
          .parse(KitFile.path("tools/rmi.jmx").toFile());
    } catch (Exception e) {
      throw new AssertionError("no XML", e);
    }
  }

  @Test
  void itsScriptsLookUpOnceAndCallThroughAGateway() throws Exception {
    try (KitBed bed = new KitBed(getClass())) {
      ChildJvm jmeter =
          bed.start(
              ChildJvm.named("jmeter", bed.directory())
                  .jvmOptions(
                      bed.hosts().outsideOption(),
                      "-Xmx128m",
                      bed.javaagent(KitBed.uri(bed.gateway("gateway"))))
                  .classPath(
                      BuiltArtefacts.codeSource(GroovyShell.class),
                      BuiltArtefacts.codeSource(SampleServer.class))
                  .main("groovy.ui.GroovyMain")
                  .arguments(
                      file(bed, "harness", HARNESS),
                      InsideHosts.INSIDE,
                      bed.registryPort(),
                      file(bed, "before", script("JSR223PreProcessor")),
                      file(bed, "sampler", script("JSR223Sampler")),
                      Integer.toString(CALLS)));

      int exitCode = jmeter.awaitExit(KitBed.SOON);

      assertThat(jmeter.output().stream().filter(line -> line.startsWith("sample ")))
          .as(String.join("\n", jmeter.output()))
          .hasSize(CALLS)
          .allMatch(line -> line.contains("JMeter"));
      assertThat(exitCode).isZero();
    }
  }

  /** As JMeter reads plans: each element is followed by the tree of what is below it. */
  @Test
  void itsElementsAreFollowedByTheirTrees() throws Exception {
    NodeList trees = (NodeList) xpath().evaluate("//hashTree", plan, XPathConstants.NODESET);
    assertThat(trees.getLength()).isPositive();
    for (int i = 0; i < trees.getLength(); i++) {
      List<String> children = names((Element) trees.item(i));
      assertThat(children.size() % 2).as("%s", children).isZero();
      for (int child = 0; child < children.size(); child++) {
        assertThat(children.get(child).equals("hashTree")).isEqualTo(child % 2 == 1);
      }
    }
    NodeList elements =
        (NodeList) xpath().evaluate("//*[@testclass]", plan, XPathConstants.NODESET);
    for (int i = 0; i < elements.getLength(); i++) {
      Element element = (Element) elements.item(i);
      if (!element.getTagName().equals("elementProp")) {
        assertThat(element.getAttribute("testclass")).isEqualTo(element.getTagName());
      }
    }
  }

  /** Each {@code -J} of the README but the class path is asked for by the plan. */
  @Test
  void itTakesThePropertiesThatTheReadmeNames() throws Exception {
    String text = Files.readString(KitFile.path("tools/rmi.jmx"));
    Matcher property =
        Pattern.compile(" -J([a-z]+)=").matcher(Files.readString(KitFile.path("tools/README.md")));
    List<String> named =
        property.results().map(found -> found.group(1)).collect(Collectors.toList());
    assertThat(named).containsExactlyInAnyOrder("host", "port", "threads", "calls");
    assertThat(named)
        .allMatch(
            name -> text.contains("${__P(" + name + ",") || text.contains("props.get('" + name));
  }

  private static String file(KitBed bed, String name, String script) throws Exception {
    return Files.writeString(bed.directory().resolve(name + ".groovy"), script).toString();
  }

  private String script(String element) throws Exception {
    assertThat(property(element, "scriptLanguage")).isEqualTo("groovy");
    return property(element, "script");
  }

  private String property(String element, String name) throws Exception {
    return xpath().evaluate("//" + element + "/stringProp[@name='" + name + "']", plan);
  }

  private static XPath xpath() {
    return XPathFactory.newInstance().newXPath();
  }

  private static List<String> names(Element parent) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < parent.getChildNodes().getLength(); i++) {
      if (parent.getChildNodes().item(i) instanceof Element child) {
        names.add(child.getTagName());
      }
    }
    return names;
  }
}
