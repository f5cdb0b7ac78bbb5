package io.rmigate.gateway.services.page;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rmigate.soap.json.JsonSample;
import io.rmigate.soap.publish.Operation;

/**
 * A form for each operation on an object's page, with which people call it from their browser. The
 * browser sends the login by which it has got the page. Without scripts the forms stay hidden.
 */
public final class TryIt {
  /**
   * Calls within the page's own origin only, since the policy lets nothing else through. The
   * absolute address has no password in it, even where that of the page has one.
   */
  static final String SCRIPT =
      """
      "use strict";
      for (const form of document.forms) {
        form.hidden = false;
        form.addEventListener("submit", async (event) => {
          event.preventDefault();
          const { href, body } = form.elements;
          const page = location.origin + location.pathname.replace(/\\/$/, "");
          const result = form.querySelector("output");
          form.dataset.state = "calling";
          result.textContent = "calling ...";
          try {
            const answer = await fetch((href ? href.value.trim() : page) + "/" + form.dataset.operation, {
              method: "POST",
              headers: { "Content-Type": "application/json", Accept: "application/json" },
              body: body ? body.value : "{}",
            });
            const text = await answer.text();
            result.textContent = "HTTP " + answer.status + "\\n" + text;
            form.dataset.state = answer.ok ? "answered" : "failed";
          } catch (failure) {
            result.textContent = "The gateway cannot be reached: " + failure.message;
            form.dataset.state = "failed";
          }
        });
      }
      """;

  private TryIt() {}

  /**
   * Adds the form of an operation.
   *
   * @param published whether it is one of the published object; else its reader says of which
   */
  public static void form(Operation operation, boolean published, Html page) {
    page.open("form", "hidden", "", "data-operation", operation.name());
    page.open("details").element("summary", "Try it");
    if (!published) {
      page.open("label").say("href of the handle ");
      page.open("input", "name", "href", "required", "", "size", "60").close("label");
    }
    ObjectNode sample = JsonSample.of(operation);
    if (!sample.isEmpty()) {
      String text = sample.toPrettyString();
      String rows = Long.toString(text.lines().count());
      page.open("textarea", "name", "body", "rows", rows, "spellcheck", "false");
      page.say(text).close("textarea");
    }
    page.element("button", "Call").open("pre").element("output", "").close("pre");
    page.close("details").close("form");
  }
}
