package io.rmigate.soap.soap;

import com.sun.xml.ws.api.SOAPVersion;
import com.sun.xml.ws.api.message.Message;
import io.rmigate.soap.call.CallFailure;
import io.rmigate.soap.call.Caller;
import io.rmigate.soap.call.FailureText;
import io.rmigate.soap.publish.Contract;
import io.rmigate.soap.publish.Operation;
import io.rmigate.soap.soap.EnvelopeReader.Envelope;
import io.rmigate.soap.soap.SoapProblem.Kind;
import io.rmigate.soap.type.Structure;
import io.rmigate.soap.xml.BadElementException;
import io.rmigate.soap.xml.BinaryCarrier;
import io.rmigate.soap.xml.LeaseDocument;
import io.rmigate.soap.xml.WsdlDocument;
import io.rmigate.soap.xml.XmlReader;
import io.rmigate.soap.xml.XmlWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.xml.namespace.QName;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One request on its way from its envelope to its answer. Nothing is called before the whole
 * envelope has been read and every argument made. Confined to its thread.
 */
final class SoapCall {
  private static final Logger LOG = LoggerFactory.getLogger(SoapCall.class);

  private final Contract contract;
  private final SoapRequest request;
  private final Packaging packaging;
  private final Envelope envelope;
  private final Caller caller;
  private final SoapLimits limits;
  private final String namespace;
  private final SOAPVersion version;
  private final BinaryCarrier binaries = new Attachments();
  private Optional<WrittenMessage> answer = Optional.empty();
  private Optional<IOException> gone = Optional.empty();

  SoapCall(
      Contract contract,
      SoapRequest request,
      Packaging packaging,
      Envelope envelope,
      Caller caller,
      SoapLimits limits) {
    this.contract = contract;
    this.request = request;
    this.packaging = packaging;
    this.envelope = envelope;
    this.caller = caller;
    this.limits = limits;
    namespace = WsdlDocument.namespace(contract);
    version = packaging.version();
  }

  /** The failure by which the client was lost; empty if it was not. */
  Optional<IOException> gone() {
    return gone;
  }

  /** The answer to the call; empty if the envelope has not been accepted. */
  Optional<WrittenMessage> answer() {
    return answer;
  }

  /**
   * Does what an envelope asks for. Throws nothing: Metro would tell the client what.
   *
   * @param message as it has come out of Metro
   */
  void accept(Message message) {
    answer = Optional.of(answerTo(message));
  }

  private WrittenMessage answerTo(Message message) {
    try {
      Addressing addressing = Addressing.of(message.getHeaders());
      QName wrapper = wrapper(message);
      Actions actions = Actions.of(contract, wrapper);
      WrittenMessage found = dispatch(message, wrapper, actions, addressing);
      addressing.answer(found, actions.response());
      return found;
    } catch (SoapRefusedException e) {
      return FaultMessage.of(version, e.problem());
    } catch (RuntimeException | LinkageError e) {
      LOG.warn("A call of {} could not be made: {}", contract.name(), FailureText.of(e));
      LOG.debug("where a call of {} failed", contract.name(), e);
      return FaultMessage.of(
          version, new SoapProblem(Kind.INTERNAL, "The arguments could not be made."));
    }
  }

  private static QName wrapper(Message message) throws SoapRefusedException {
    String name = message.getPayloadLocalPart();
    if (name == null) {
      throw new SoapRefusedException(Kind.BAD_ENVELOPE, "The request has an empty body.");
    }
    return new QName(message.getPayloadNamespaceURI(), name);
  }

  private WrittenMessage dispatch(
      Message message, QName wrapper, Actions actions, Addressing addressing)
      throws SoapRefusedException {
    if (wrapper.getNamespaceURI().equals(LeaseDocument.NAMESPACE)) {
      actionsMustFit(actions, addressing);
      read(message, SoapCall::mustBeEmpty);
      Payload answer =
          LeaseOperations.call(
              wrapper.getLocalPart(), request.address().get(), caller.references());
      return new ResultMessage(version, LeaseOperations.response(wrapper.getLocalPart()), answer);
    }
    Operation operation =
        Optional.of(wrapper)
            .filter(w -> w.getNamespaceURI().equals(namespace))
            .flatMap(w -> contract.operation(w.getLocalPart()))
            .filter(found -> caller.permission().permits(contract, found))
            .orElseThrow(
                () -> new SoapRefusedException(Kind.NOT_FOUND, "There is no such operation."));
    actionsMustFit(actions, addressing);
    Object[] arguments =
        read(
            message,
            xml ->
                new XmlReader(
                        xml,
                        caller.references(),
                        binaries,
                        limits.payload().depth(),
                        limits.payload().elements())
                    .arguments(operation));
    return call(operation, arguments);
  }

  private void actionsMustFit(Actions actions, Addressing addressing) throws SoapRefusedException {
    List<String> others = new ArrayList<>(packaging.actions());
    others.add(envelope.action());
    others.add(addressing.action().orElse(""));
    actions.mustFit(request.soapAction(), others);
  }

  private interface Reading<T> {
    T from(XMLStreamReader xml) throws XMLStreamException, BadElementException;
  }

  /** Reads the payload, and the rest of the envelope, in which nothing is to be. */
  private <T> T read(Message message, Reading<T> reading) throws SoapRefusedException {
    try {
      XMLStreamReader xml = message.readPayload();
      T read = reading.from(xml);
      mustEnd(xml);
      envelope.readToTheEnd();
      return read;
    } catch (BadElementException e) {
      throw new SoapRefusedException(Kind.BAD_ARGUMENT, e.getMessage());
    } catch (XMLStreamException | IOException e) {
      throw refused(e);
    } catch (RuntimeException e) {
      // Metro's readers turn the failures of those below them into others.
      if (EnvelopeFailure.isOfPackage(e)) {
        throw refused(e);
      }
      throw refused(
          envelope.reader().failure().<Exception>map(failure -> failure).orElseThrow(() -> e));
    }
  }

  private SoapRefusedException refused(Exception e) {
    try {
      SoapProblem problem = EnvelopeFailure.of(e, packaging);
      return new SoapRefusedException(problem.kind(), problem.text());
    } catch (IOException noClient) {
      gone = Optional.of(noClient);
      return new SoapRefusedException(Kind.BAD_ENVELOPE, "The request did not come to its end.");
    }
  }

  private static Void mustBeEmpty(XMLStreamReader xml)
      throws XMLStreamException, BadElementException {
    if (xml.nextTag() != XMLStreamConstants.END_ELEMENT) {
      throw new BadElementException(xml.getLocalName(), "is not known");
    }
    return null;
  }

  /** A second payload, or a second body, would be for another reader than this. */
  private static void mustEnd(XMLStreamReader xml) throws XMLStreamException {
    for (int event = xml.next(); event != XMLStreamConstants.END_DOCUMENT; event = xml.next()) {
      boolean text = event == XMLStreamConstants.CHARACTERS || event == XMLStreamConstants.CDATA;
      if (event == XMLStreamConstants.START_ELEMENT || (text && !xml.isWhiteSpace())) {
        throw new EnvelopeBoundException("has something behind its payload");
      }
    }
  }

  private WrittenMessage call(Operation operation, Object[] arguments) {
    Object result;
    try {
      result = caller.target().call(operation.method(), arguments);
    } catch (CallFailure e) {
      return failed(operation, e);
    }
    return new ResultMessage(
        version,
        new QName(namespace, operation.name() + "Response"),
        xml -> writer(xml).result(namespace, operation, result));
  }

  private XmlWriter writer(javax.xml.stream.XMLStreamWriter xml) {
    return new XmlWriter(xml, caller.references(), binaries, limits.answers().depth());
  }

  private WrittenMessage failed(Operation operation, CallFailure failure) {
    Throwable thrown = failure.getCause();
    Optional<Structure> declared =
        failure.kind() == CallFailure.Kind.THROWN ? operation.fault(thrown) : Optional.empty();
    if (declared.isEmpty()) {
      LOG.info("{}.{} failed: {}", contract.name(), operation.name(), FailureText.of(failure));
      LOG.debug("where {}.{} failed", contract.name(), operation.name(), failure);
      return FaultMessage.of(version, SoapProblem.of(failure));
    }
    Structure fault = declared.get();
    return FaultMessage.declared(
        version, text(fault, thrown), xml -> writer(xml).fault(namespace, fault, thrown));
  }

  /** The message is one of the exception's declared properties. Code of its class runs. */
  private static String text(Structure fault, Throwable thrown) {
    try {
      return Optional.ofNullable(thrown.getMessage()).orElse(fault.label());
    } catch (RuntimeException e) {
      return fault.label();
    }
  }
}
