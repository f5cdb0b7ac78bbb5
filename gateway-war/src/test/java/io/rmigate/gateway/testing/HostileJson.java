package io.rmigate.gateway.testing;

import java.io.ByteArrayOutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What attackers send to {@code Everything.executeSlowly(callId, millis)}, each under the name of
 * its attack. A gateway that accepts one calls the server with the id {@link #ID}.
 */
public final class HostileJson {
  /** No server must hear it. */
  public static final String ID = "hostile";

  private HostileJson() {}

  /** Bodies that are not valid JSON. */
  public static Map<String, byte[]> bodies() {
    Map<String, byte[]> bodies = new LinkedHashMap<>();
    text(bodies, "depth of arrays", member("callId", "[".repeat(100_000)));
    text(bodies, "depth of objects", "{\"callId\":".repeat(100_000));
    text(bodies, "closed depth", member("callId", "[".repeat(60) + "]".repeat(60)));
    text(bodies, "huge exponent", member("millis", "1e400000"));
    text(bodies, "huge negative exponent", member("millis", "1e-400000"));
    text(bodies, "a million digits", member("millis", "1".repeat(1_000_000)));
    text(bodies, "beyond a long", member("millis", "9223372036854775808"));
    text(bodies, "a fraction", member("millis", "1.5"));
    text(bodies, "NaN", member("millis", "NaN"));
    text(bodies, "NaN as a text", member("millis", "\"NaN\""));
    text(bodies, "a number as a text", member("millis", "\"1\""));
    text(bodies, "null where there is none", member("millis", "null"));
    text(bodies, "repeated name", member("millis", "0,\"callId\":\"hostile\""));
    for (String type : new String[] {"@type", "@class", "$type", "class", "__proto__"}) {
      text(bodies, type, member("millis", "0,\"" + type + "\":\"javax.naming.Reference\""));
    }
    text(
        bodies,
        "class name in front",
        "{\"@class\":\"java.util.Hash\"," + member("millis", "0").substring(1));
    text(bodies, "wrapper array", member("callId", "[\"java.net.URL\",\"http://127.0.0.1/\"]"));
    text(bodies, "lone surrogate", member("millis", "0").replace("hostile", "hostile\\ud800"));
    text(bodies, "reversed surrogates", member("millis", "0").replace("hostile", "\\udc00\\ud800"));
    text(bodies, "NUL", member("millis", "0").replace("hostile", "hostile\\u0000"));
    text(bodies, "raw NUL", member("millis", "0").replace("hostile", "hostile\u0000"));
    text(bodies, "raw line break", member("millis", "0").replace("hostile", "hos\ntile"));
    text(bodies, "byte order mark", "\ufeff" + member("millis", "0"));
    coded(bodies, "UTF-16", StandardCharsets.UTF_16);
    coded(bodies, "UTF-16LE", StandardCharsets.UTF_16LE);
    coded(bodies, "UTF-32", Charset.forName("UTF-32"));
    bytes(bodies, "not UTF-8", 0xff);
    bytes(bodies, "overlong", 0xc0, 0xaf);
    bytes(bodies, "surrogate in UTF-8", 0xed, 0xa0, 0x80);
    text(bodies, "something behind", member("millis", "0") + "{}");
    text(bodies, "a word behind", member("millis", "0") + " true");
    text(bodies, "array for an object", "[\"hostile\", 0]");
    text(bodies, "text for an object", "\"hostile\"");
    text(bodies, "nothing", "");
    text(bodies, "half", "{\"callId\":\"hostile\",\"mil");
    text(bodies, "comment", "/* */" + member("millis", "0"));
    text(bodies, "single quotes", member("millis", "0").replace('"', '\''));
    text(bodies, "trailing comma", "{\"callId\":\"hostile\",\"millis\":0,}");
    text(bodies, "unknown name", member("millis", "0,\"more\":1"));
    text(
        bodies,
        "name of 100,000 characters",
        member("millis", "0,\"" + "n".repeat(100_000) + "\":1"));
    text(bodies, "a long text", member("millis", "0").replace("hostile", "x".repeat(10_000_001)));
    text(bodies, "many values", member("millis", "0,\"more\":[" + "0,".repeat(1_000_001) + "0]"));
    return bodies;
  }

  private static String member(String name, String value) {
    return name.equals("callId")
        ? "{\"millis\":0,\"callId\":" + value + "}"
        : "{\"callId\":\"" + ID + "\",\"" + name + "\":" + value + "}";
  }

  private static void text(Map<String, byte[]> bodies, String attack, String body) {
    bodies.put(attack, body.getBytes(StandardCharsets.UTF_8));
  }

  private static void coded(Map<String, byte[]> bodies, String attack, Charset charset) {
    bodies.put(attack, member("millis", "0").getBytes(charset));
  }

  /** Bytes within the text. */
  private static void bytes(Map<String, byte[]> bodies, String attack, int... bad) {
    String[] parts = member("millis", "0").split("tile", 2);
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    body.writeBytes(parts[0].getBytes(StandardCharsets.UTF_8));
    for (int b : bad) {
      body.write(b);
    }
    body.writeBytes(("tile" + parts[1]).getBytes(StandardCharsets.UTF_8));
    bodies.put(attack, body.toByteArray());
  }
}
