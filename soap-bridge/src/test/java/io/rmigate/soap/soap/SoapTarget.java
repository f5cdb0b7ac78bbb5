package io.rmigate.soap.soap;

import io.rmigate.soap.testing.SoapAnswer;
import io.rmigate.soap.testing.TemporaryShop;
import java.io.IOException;

/** Envelopes to the sample. */
public final class SoapTarget {
  private static final String XML = "text/xml; charset=utf-8";

  private static TemporaryShop shop;
  private static SoapFront front;

  public static void fuzzerInitialize() throws Exception {
    shop = TemporaryShop.open();
    front = new SoapDialect(SoapLimits.DEFAULT).front(shop.running().publication().contract());
  }

  public static void fuzzerTearDown() throws Exception {
    shop.close();
  }

  /** Answers, and tells nothing of what is inside. */
  public static void fuzzerTestOneInput(byte[] input) throws IOException {
    shop.expectAnswer(SoapAnswer.to(front, shop.running().caller(), XML, input), input);
  }

  private SoapTarget() {}
}
