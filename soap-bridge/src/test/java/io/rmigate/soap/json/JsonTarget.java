package io.rmigate.soap.json;

import io.rmigate.soap.testing.RecordedReply;
import io.rmigate.soap.testing.TemporaryShop;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Requests in JSON to the sample: an operation in the first line, its arguments below. */
public final class JsonTarget {
  private static TemporaryShop shop;
  private static JsonFront front;

  public static void fuzzerInitialize() throws Exception {
    shop = TemporaryShop.open();
    front = new JsonFront(shop.running().publication().contract(), JsonLimits.DEFAULT);
  }

  public static void fuzzerTearDown() throws Exception {
    shop.close();
  }

  /** Answers, and tells nothing of what is inside. */
  public static void fuzzerTestOneInput(byte[] input) throws IOException {
    int line = 0;
    while (line < input.length && input[line] != '\n') {
      line++;
    }
    String operation = new String(input, 0, line, StandardCharsets.UTF_8);
    byte[] json = Arrays.copyOfRange(input, Math.min(input.length, line + 1), input.length);
    shop.expectAnswer(RecordedReply.of(front, shop.running().caller(), operation, json), input);
  }

  private JsonTarget() {}
}
