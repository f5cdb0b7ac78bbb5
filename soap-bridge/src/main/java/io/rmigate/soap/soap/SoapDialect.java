package io.rmigate.soap.soap;

import com.sun.xml.ws.api.SOAPVersion;
import io.rmigate.soap.publish.Contract;

/**
 * SOAP within certain bounds: what all contracts that are spoken so have in common. Thread-safe.
 */
public final class SoapDialect {
  private final SoapLimits limits;
  private final EnvelopeReader reader;
  private final AnswerWriter writer;
  private final MetroEndpoint soap11 = new MetroEndpoint(SOAPVersion.SOAP_11);
  private final MetroEndpoint soap12 = new MetroEndpoint(SOAPVersion.SOAP_12);

  public SoapDialect(SoapLimits limits) {
    this.limits = limits;
    reader = new EnvelopeReader(limits);
    writer = new AnswerWriter(limits.answers().heldBytes());
  }

  /** Answers the calls of one contract; costs nothing to make. */
  public SoapFront front(Contract contract) {
    return new SoapFront(contract, this);
  }

  /** Whether a body of this media type is for {@link SoapFront}. */
  public static boolean speaks(String contentType) {
    return Packaging.of(contentType).isPresent();
  }

  SoapLimits limits() {
    return limits;
  }

  EnvelopeReader reader() {
    return reader;
  }

  AnswerWriter writer() {
    return writer;
  }

  MetroEndpoint endpoint(SOAPVersion version) {
    return version == SOAPVersion.SOAP_11 ? soap11 : soap12;
  }
}
