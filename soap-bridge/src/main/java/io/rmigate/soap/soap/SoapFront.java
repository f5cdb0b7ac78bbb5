package io.rmigate.soap.soap;

import com.sun.xml.ws.api.SOAPVersion;
import com.sun.xml.ws.api.message.Message;
import io.rmigate.soap.call.Caller;
import io.rmigate.soap.call.FailureText;
import io.rmigate.soap.http.HttpReply;
import io.rmigate.soap.publish.Contract;
import io.rmigate.soap.soap.AnswerWriter.Answer;
import io.rmigate.soap.soap.EnvelopeReader.Envelope;
import io.rmigate.soap.soap.SoapProblem.Kind;
import java.io.IOException;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import javax.xml.namespace.QName;
import javax.xml.stream.XMLStreamException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers the SOAP calls of one contract: reads the envelope, sends it through Metro to its {@link
 * SoapCall}, and writes the result or a fault. Nothing is called before the whole envelope has been
 * read and all arguments have been made. Thread-safe.
 */
public final class SoapFront {
  private static final Logger LOG = LoggerFactory.getLogger(SoapFront.class);

  private final Contract contract;
  private final SoapDialect dialect;

  SoapFront(Contract contract, SoapDialect dialect) {
    this.contract = contract;
    this.dialect = dialect;
  }

  /**
   * Answers one call.
   *
   * @throws IOException the client is gone, or the result failed after its head was sent: the
   *     connection must be cut, so that the client does not take a part for the whole
   */
  public void call(SoapRequest request, Caller caller, HttpReply reply) throws IOException {
    Optional<Packaging> packaging = Packaging.of(request.contentType());
    if (packaging.isEmpty()) {
      AnswerWriter.plain(
          415, "SOAP is taken as text/xml, application/soap+xml, or an XOP package.", reply);
      return;
    }
    WrittenMessage answer = answer(request, packaging.get(), caller);
    write(answer, packaging.get(), request, caller, reply);
  }

  private WrittenMessage answer(SoapRequest request, Packaging packaging, Caller caller)
      throws IOException {
    MetroEndpoint endpoint = dialect.endpoint(packaging.version());
    Envelope envelope;
    try {
      envelope = dialect.reader().read(packaging, request.body());
    } catch (XMLStreamException | IOException | RuntimeException e) {
      return FaultMessage.of(packaging.version(), EnvelopeFailure.of(e, packaging));
    }
    Set<QName> unknown = notUnderstood(envelope.message(), packaging.version());
    if (!unknown.isEmpty()) {
      return FaultMessage.notUnderstood(packaging.version(), unknown);
    }
    SoapCall exchange =
        new SoapCall(contract, request, packaging, envelope, caller, dialect.limits());
    endpoint.process(envelope.message(), exchange);
    if (exchange.gone().isPresent()) {
      throw exchange.gone().get();
    }
    if (exchange.answer().isEmpty()) {
      LOG.warn("Metro refused a message to {} that the gateway had accepted", contract.name());
    }
    return exchange
        .answer()
        .orElseGet(
            () ->
                FaultMessage.of(
                    packaging.version(),
                    new SoapProblem(Kind.INTERNAL, "The request could not be read.")));
  }

  /**
   * Metro takes a provider of messages for one that understands everything. This gateway is the
   * ultimate receiver and also the next node: it must understand headers for both roles.
   */
  private static Set<QName> notUnderstood(Message envelope, SOAPVersion version) {
    Set<QName> headers =
        envelope
            .getHeaders()
            .getNotUnderstoodHeaders(new HashSet<>(version.requiredRoles), Set.of(), null);
    Set<QName> unknown = new LinkedHashSet<>(headers == null ? Set.of() : headers);
    unknown.removeAll(Addressing.UNDERSTOOD);
    return unknown;
  }

  private void write(
      WrittenMessage message,
      Packaging packaging,
      SoapRequest request,
      Caller caller,
      HttpReply reply)
      throws IOException {
    if (message instanceof FaultMessage fault) {
      fault.number(reply);
    }
    Packaging.Form form = packaging.answer(request.accept());
    Answer answer = dialect.writer().answer(message, packaging, form, reply);
    try {
      answer.write();
    } catch (XMLStreamException | RuntimeException | LinkageError e) {
      if (AnswerWriter.isClientGone(e)) {
        throw new IOException("the client is gone", e);
      }
      LOG.warn("An answer of {} cannot be shown: {}", contract.name(), FailureText.of(e));
      LOG.debug("where an answer of {} failed", contract.name(), e);
      if (answer.isBegun()) {
        throw new IOException("the result failed after its head was sent", e);
      }
      caller.references().withdraw();
      FaultMessage fault = FaultMessage.of(packaging.version(), SoapProblem.ofAnswer(e));
      fault.number(reply);
      try {
        dialect.writer().answer(fault, packaging, form, reply).write();
      } catch (XMLStreamException again) {
        throw new IOException("the fault could not be written", again);
      }
    }
  }
}
