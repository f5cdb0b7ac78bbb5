package io.rmigate.gateway.container.kits;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.LintResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Helm itself, as a library, in a JVM of its own since it brings the runtime of another language.
 * Lints a chart and then renders it with each file of values, as release {@code rmigate} in the
 * namespace {@code rmi}, for one version of Kubernetes. Says {@code linted}, and for each file
 * {@code rendered FILE} (into FILE.rendered) or {@code refused FILE} and why, and {@code done}.
 *
 * <p>Arguments: chart, version, files.
 */
public final class Helming {
  private Helming() {}

  /** See above. */
  public static void main(String[] arguments) throws Exception {
    Path chart = Path.of(arguments[0]);
    LintResult lint = new Helm(chart).lint().strict().call();
    System.out.println(lint.isFailed() ? "not linted: " + lint.getMessages() : "linted");
    for (String file : Arrays.asList(arguments).subList(2, arguments.length)) {
      Path values = Path.of(file);
      try {
        String rendered =
            new Helm(chart)
                .template()
                .withName("rmigate")
                .withNamespace("rmi")
                .withKubeVersion(arguments[1])
                .withValuesFile(values)
                .call();
        Files.writeString(Path.of(file + ".rendered"), rendered);
        System.out.println("rendered " + values.getFileName());
      } catch (IllegalStateException refused) {
        System.out.println(
            "refused " + values.getFileName() + " " + refused.getMessage().replace('\n', ' '));
      }
    }
    System.out.println("done");
  }
}
