package io.rmigate.gateway.container.kits;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.InsideHosts;
import io.rmigate.gateway.testing.LeftoverCheck;
import io.rmigate.testing.Tier;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * {@code deploy/tools/rmi.jmx}: its scripts, run by Groovy as JMeter's elements for them do, and
 * what its structure has to be. JMeter itself is not here.
 */
@Tag(Tier.FULL)
@ExtendWith(LeftoverCheck.class)
class JmeterRecipeIT {
  private static final int CALLS = 3;

  private final Document plan = plan();

  private static Document plan() {
    try {
      return JmeterScripts.plan();
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
                  .classPath(JmeterScripts.classPath())
                  .main(JmeterScripts.MAIN)
                  .arguments(
                      JmeterScripts.arguments(
                          bed.directory(), InsideHosts.INSIDE, bed.registryPort(), CALLS)));

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
