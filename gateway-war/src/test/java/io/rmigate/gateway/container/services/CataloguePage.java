package io.rmigate.gateway.container.services;

import static io.restassured.RestAssured.given;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The page of a published object, as a reader sees it who copies from it.
 *
 * @param html its text
 */
record CataloguePage(String html) {
  private static final Pattern PASTE = Pattern.compile("<pre><code>(.*?)</code>", Pattern.DOTALL);

  static CataloguePage at(String address) {
    return new CataloguePage(
        given()
            .accept("text/html")
            .get(address)
            .then()
            .statusCode(200)
            .contentType("text/html;charset=utf-8")
            .extract()
            .asString());
  }

  /** The example under that heading. */
  String example(String heading) {
    Matcher found =
        Pattern.compile(
                "<h3>" + Pattern.quote(heading) + "</h3>\\s*" + PASTE.pattern(), Pattern.DOTALL)
            .matcher(html);
    if (!found.find()) {
      throw new AssertionError("no example under " + heading);
    }
    return text(found.group(1));
  }

  /** The examples of all operations. */
  List<String> commands() {
    return PASTE
        .matcher(html.substring(0, html.indexOf(" in other languages")))
        .results()
        .map((MatchResult found) -> text(found.group(1)))
        .toList();
  }

  private static String text(String escaped) {
    return escaped
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&#39;", "'")
        .replace("&amp;", "&");
  }
}
