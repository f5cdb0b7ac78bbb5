package io.rmigate.soap.soap;

import io.rmigate.soap.call.RemoteReferences;
import io.rmigate.soap.call.RemoteReferences.Handle;
import io.rmigate.soap.soap.SoapProblem.Kind;
import io.rmigate.soap.xml.LeaseDocument;
import java.net.URI;
import javax.xml.namespace.QName;

/** The operations of every reference, with any interface: renew and release. */
final class LeaseOperations {
  private LeaseOperations() {}

  /**
   * Does it.
   *
   * @param handle the address that was called
   * @return the answer's content
   * @throws SoapRefusedException there is no such operation, or no such handle
   */
  static Payload call(String operation, URI handle, RemoteReferences references)
      throws SoapRefusedException {
    switch (operation) {
      case LeaseDocument.RENEW -> {
        Handle renewed = references.renew(handle.toString()).orElseThrow(LeaseOperations::unknown);
        return xml -> LeaseDocument.writeRenewed(renewed.expires(), xml);
      }
      case LeaseDocument.RELEASE -> {
        if (!references.release(handle.toString())) {
          throw unknown();
        }
        return LeaseDocument::writeReleased;
      }
      default -> throw new SoapRefusedException(Kind.NOT_FOUND, "There is no such operation.");
    }
  }

  private static SoapRefusedException unknown() {
    return new SoapRefusedException(Kind.NOT_FOUND, "There is no such reference.");
  }

  /** The element of an answer. */
  static QName response(String operation) {
    return new QName(LeaseDocument.NAMESPACE, operation + "Response");
  }
}
