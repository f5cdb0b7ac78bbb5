package io.rmigate.soap.soap;

import com.sun.xml.ws.api.addressing.AddressingVersion;
import com.sun.xml.ws.api.addressing.WSEndpointReference;
import com.sun.xml.ws.api.message.Header;
import com.sun.xml.ws.api.message.MessageHeaders;
import com.sun.xml.ws.message.StringHeader;
import io.rmigate.soap.soap.SoapProblem.Kind;
import jakarta.xml.ws.WebServiceException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.namespace.QName;
import javax.xml.stream.XMLStreamException;

/**
 * What a request's WS-Addressing headers say. Metro's own support would send the answer to any
 * address that a client names. Here the answer goes back on the connection, and a request for
 * another address is refused.
 *
 * @param action empty if there is none
 * @param messageId empty if there is none
 */
record Addressing(Optional<String> action, Optional<String> messageId) {
  private static final AddressingVersion W3C = AddressingVersion.W3C;

  /** The headers that are understood, in the version of the W3C. */
  static final Set<QName> UNDERSTOOD =
      Stream.of("To", "Action", "MessageID", "RelatesTo", "From", "ReplyTo", "FaultTo")
          .map(name -> new QName(W3C.nsUri, name))
          .collect(Collectors.toUnmodifiableSet());

  private static final String FAULT_ACTION = W3C.nsUri + "/soap/fault";

  /**
   * Reads them. Each may be there once (WS-Addressing, SOAP Binding, 6.4.1): two readers could take
   * two of them.
   *
   * @throws SoapRefusedException an answer is wanted elsewhere, or one is there twice
   */
  static Addressing of(MessageHeaders headers) throws SoapRefusedException {
    Optional<String> action = Optional.empty();
    Optional<String> messageId = Optional.empty();
    Set<String> once = new HashSet<>();
    for (Header header : headers.asList()) {
      String namespace = header.getNamespaceURI();
      String name = header.getLocalPart();
      if (namespace.equals(W3C.nsUri) || namespace.equals(AddressingVersion.MEMBER.nsUri)) {
        if (!name.equals("RelatesTo") && !once.add(name)) {
          throw new SoapRefusedException(
              Kind.ADDRESSING, "A header of WS-Addressing is there twice.");
        }
        switch (name) {
          case "ReplyTo", "FaultTo" -> mustBeAnonymous(header, namespace);
          case "Action" -> action = Optional.of(header.getStringContent().strip());
          case "MessageID" -> messageId = Optional.of(header.getStringContent().strip());
          default -> {}
        }
      }
    }
    return new Addressing(action, messageId);
  }

  private static void mustBeAnonymous(Header header, String namespace) throws SoapRefusedException {
    AddressingVersion version = AddressingVersion.fromNsUri(namespace);
    try {
      WSEndpointReference reference = header.readAsEPR(version);
      if (version.anonymousUri.equals(reference.getAddress())) {
        return;
      }
    } catch (XMLStreamException | WebServiceException e) {
      // It names no address at all: not the anonymous one either.
    }
    throw new SoapRefusedException(
        Kind.ADDRESSING,
        "Answers go back on the connection of the request, and to no other address.");
  }

  /** Adds the addressing headers of an answer; none if the request had none. */
  void answer(WrittenMessage message, String action) {
    if (this.action.isEmpty() && messageId.isEmpty()) {
      return;
    }
    message.getHeaders().add(header("Action", message.isFault() ? FAULT_ACTION : action));
    messageId.ifPresent(id -> message.getHeaders().add(header("RelatesTo", id)));
  }

  private static Header header(String name, String content) {
    return new StringHeader(new QName(W3C.nsUri, name), content);
  }
}
