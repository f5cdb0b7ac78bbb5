package io.rmigate.gateway.services.page;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Set;

/**
 * A page: nothing from elsewhere, no script but the one that is named, and every text escaped. Of
 * one answer.
 */
public final class Html {
  public static final String TYPE = "text/html;charset=utf-8";

  private static final String STYLE =
      "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;"
          + "color:#1b1f24;background:#fff}"
          + "h1{font-size:1.6rem}h2{font-size:1.25rem;margin-top:2rem}h3{font-size:1.05rem}"
          + "code,pre{font:14px/1.45 ui-monospace,monospace}"
          + "h3 code{font-size:inherit;font-weight:600}"
          + "pre{background:#f3f5f7;border-radius:6px;padding:.8rem;white-space:pre-wrap;"
          + "overflow-wrap:anywhere}"
          + "table{border-collapse:collapse;width:100%}"
          + "th,td{text-align:left;vertical-align:top;padding:.35rem .6rem;"
          + "border-bottom:1px solid #d8dde2}"
          + "a{color:#0b57a4}summary{cursor:pointer}"
          + "textarea{display:block;width:100%;box-sizing:border-box;margin:.5rem 0;"
          + "font:14px/1.45 ui-monospace,monospace}pre:has(output:empty){display:none}"
          + "@media(prefers-color-scheme:dark){body{color:#e2e6ea;background:#15181c}"
          + "pre{background:#20252b}a{color:#7fb8f0}th,td{border-color:#353c44}}";

  /** Only this style, by its digest. */
  public static final String POLICY = policy("");

  /** The forms of {@link TryIt} too: its script, and what that asks of the page's own origin. */
  public static final String POLICY_OF_FORMS =
      policy("script-src 'sha256-" + digest(TryIt.SCRIPT) + "'; connect-src 'self'; ");

  private static final Set<String> INLINE = Set.of("a", "code", "output");

  private final StringBuilder text = new StringBuilder(4096);

  private static String policy(String more) {
    return "default-src 'none'; style-src 'sha256-"
        + digest(STYLE)
        + "'; "
        + more
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
  }

  private static String digest(String content) {
    try {
      byte[] bytes =
          MessageDigest.getInstance("SHA-256").digest(content.getBytes(StandardCharsets.UTF_8));
      return Base64.getEncoder().encodeToString(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e); // every JDK has it
    }
  }

  public Html(String title) {
    text.append("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>")
        .append(escaped(title))
        .append("</title><meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">")
        .append("<style>")
        .append(STYLE)
        .append("</style></head><body>\n");
    element("h1", title);
  }

  /** Opens an element; {@code name} is one of ours, never a client's. */
  public Html open(String name) {
    text.append('<').append(name).append('>');
    return this;
  }

  /** Opens an element with attributes, each a name of ours and a value. */
  public Html open(String name, String... attributes) {
    text.append('<').append(name);
    for (int i = 0; i < attributes.length; i += 2) {
      text.append(' ').append(attributes[i]);
      if (!attributes[i + 1].isEmpty()) {
        text.append("=\"").append(escaped(attributes[i + 1])).append('"');
      }
    }
    text.append('>');
    return this;
  }

  /** The script of the forms, behind all of them. */
  public Html script() {
    text.append("<script>").append(TryIt.SCRIPT).append("</script>\n");
    return this;
  }

  /** Elements within a line do not end it: what follows may be a full stop. */
  public Html close(String name) {
    text.append("</").append(name).append(INLINE.contains(name) ? ">" : ">\n");
    return this;
  }

  /** An element with a text. */
  public Html element(String name, String content) {
    return open(name).say(content).close(name);
  }

  /** A text. */
  public Html say(String content) {
    text.append(escaped(content));
    return this;
  }

  public Html link(String address, String content) {
    text.append("<a href=\"").append(escaped(address)).append("\">");
    return say(content).close("a");
  }

  /** A text to paste, with its line breaks. */
  public Html paste(String content) {
    return open("pre").element("code", content.stripTrailing()).close("pre");
  }

  public byte[] end() {
    return text.append("</body></html>\n").toString().getBytes(StandardCharsets.UTF_8);
  }

  static String escaped(String content) {
    StringBuilder escaped = new StringBuilder(content.length() + 16);
    for (int i = 0; i < content.length(); i++) {
      char c = content.charAt(i);
      switch (c) {
        case '&' -> escaped.append("&amp;");
        case '<' -> escaped.append("&lt;");
        case '>' -> escaped.append("&gt;");
        case '"' -> escaped.append("&quot;");
        case '\'' -> escaped.append("&#39;");
        default -> escaped.append(c);
      }
    }
    return escaped.toString();
  }
}
