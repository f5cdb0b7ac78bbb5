package io.rmigate.gateway.services;

import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.rmigate.gateway.testing.LeftoverCheck;
import io.rmigate.testing.Tier;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The forms of an object's page, in a browser in which a user has logged in. */
@Tag(Tier.FULL)
@ExtendWith(LeftoverCheck.class)
class TryItFormIT {
  private static ServicesBed bed;
  private static HeadlessBrowser browser;

  @BeforeAll
  static void start(@TempDir Path directory) throws Exception {
    Optional<Path> program = HeadlessBrowser.program();
    assumeTrue(program.isPresent(), "Chromium (Debian's chromium-headless-shell) is not installed");
    bed = ServicesBed.start(directory);
    browser = HeadlessBrowser.start(program.get(), directory);
    browser.open(bed.root().replace("http://", "http://alice:wonder@") + "/everything");
  }

  @AfterAll
  static void stop() throws Exception {
    if (browser != null) {
      browser.close();
    }
    if (bed != null) {
      bed.close();
    }
  }

  private static String quoted(String text) throws Exception {
    return new ObjectMapper().writeValueAsString(text);
  }

  /** Submits the form of an operation as it is, or with other values; what it then shows. */
  private static String submitted(String operation, String href, String body, String state)
      throws Exception {
    String form = "document.querySelector('form[data-operation=" + operation + "]')";
    assertThat(browser.evaluate(form + ".hidden").asBoolean()).isFalse();
    if (!href.isEmpty()) {
      browser.evaluate(form + ".elements.href.value = " + quoted(href));
    }
    if (!body.isEmpty()) {
      browser.evaluate(form + ".elements.body.value = " + quoted(body));
    }
    browser.evaluate(form + ".querySelector('button').click()");
    await().until(() -> browser.evaluate(form + ".dataset.state").asText().equals(state));
    return browser.evaluate(form + ".querySelector('output').textContent").asText();
  }

  @Test
  void anOperationIsCalledWithItsSample() throws Exception {
    int before = bed.bridge.calls();

    assertThat(submitted("echoLong", "", "", "answered")).isEqualTo("HTTP 200\n1");
    assertThat(bed.bridge.calls()).isEqualTo(before + 1);
  }

  @Test
  void valuesMayBeReplacedAndTextsAreNoMarkup() throws Exception {
    String text = "<img src=x onerror=document.title='hit'> ž";

    assertThat(submitted("echoString", "", "{\"value\": " + quoted(text) + "}", "answered"))
        .isEqualTo("HTTP 200\n" + quoted(text));
    assertThat(browser.evaluate("document.querySelectorAll('img').length").asInt()).isZero();
  }

  @Test
  void problemsAreShown() throws Exception {
    assertThat(submitted("echoInt", "", "{\"value\": 1.5}", "failed"))
        .startsWith("HTTP 400\n")
        .contains("/value is not a whole number");
    assertThat(submitted("failChecked", "", "", "failed"))
        .startsWith("HTTP 422\n")
        .contains("CheckedFailure");
  }

  @Test
  void whatACallReturnsByReferenceCanBeCalled() throws Exception {
    String handle = submitted("newCounter", "", "{\"start\": 41}", "answered");
    String href =
        new ObjectMapper().readTree(handle.substring("HTTP 200\n".length())).get("href").asText();

    assertThat(submitted("increment", href, "", "answered")).isEqualTo("HTTP 200\n42");
    bed.alice().delete(href).then().statusCode(204);
    assertThat(submitted("increment", href, "", "failed")).startsWith("HTTP 404\n");
  }

  /** A page that names another address sends nothing there, not even when the user asks for it. */
  @Test
  void nothingGoesToAnotherSite() throws Exception {
    String other = bed.root().replace("127.0.0.1", "localhost") + "/everything";
    int before = bed.bridge.calls();

    assertThat(submitted("unexport", other, "", "failed"))
        .startsWith("The gateway cannot be reached");
    assertThat(bed.bridge.calls()).isEqualTo(before);
  }

  @Test
  void nothingButTheScriptOfThePageRuns() throws Exception {
    browser.evaluate(
        "const more = document.createElement('script');"
            + "more.textContent = 'document.title = 1'; document.body.append(more)");

    assertThat(browser.evaluate("document.title").asText()).isEqualTo("everything");
  }
}
