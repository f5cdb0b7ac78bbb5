package io.rmigate.client.transport.http;

import io.rmigate.protocol.LogText;
import java.io.IOException;
import java.io.InputStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A page for people where an answer for programs was expected: the login page of a hotel's network,
 * or the words with which an HTTP proxy says no.
 */
public final class WebPage {
  private static final int MAX_BYTES = 8 * 1024;
  private static final Pattern TITLE =
      Pattern.compile("<title[^>]*+>([^<]{1,200})", Pattern.CASE_INSENSITIVE);

  private WebPage() {}

  /**
   * What the page is, in words: with its title, if that stands near its beginning. Reads from
   * {@code in}; who must not wait for ever has a guard on the socket.
   */
  public static String describe(HttpHead head, InputStream in) {
    String title = "";
    try {
      HttpBody body = HttpBody.read(head, in, MAX_BYTES, "the web page");
      Matcher matcher = TITLE.matcher(body.text());
      if (matcher.find()) {
        title = matcher.group(1).strip().replaceAll("\\s+", " ");
      }
    } catch (IOException e) {
      // The page is only described: that it is one, is known from its head.
    }
    return title.isEmpty() ? "a web page" : "a web page, '" + LogText.brief(title) + "'";
  }
}
