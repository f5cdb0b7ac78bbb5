package io.rmigate.soap.xml;

import io.rmigate.soap.publish.Contract;
import io.rmigate.soap.publish.Operation;

/** The names in XML that no Java member gives. */
final class XmlNames {
  static final String XSI = "http://www.w3.org/2001/XMLSchema-instance";
  static final String XSD = "http://www.w3.org/2001/XMLSchema";
  static final String WSA = "http://www.w3.org/2005/08/addressing";

  /** Namespace of WS-Addressing's metadata, for WSDL. */
  static final String WSAM = "http://www.w3.org/2007/05/addressing/metadata";

  /** Namespace of the attribute that tells where a WSDL is found. */
  static final String WSDLI = "http://www.w3.org/ns/wsdl-instance";

  /** The element of a result. */
  static final String RETURN = "return";

  /** An element of a sequence in a sequence. */
  static final String ITEM = "item";

  static final String ENTRY = "entry";
  static final String KEY = "key";
  static final String VALUE = "value";
  static final String ADDRESS = "Address";

  private XmlNames() {}

  /** The target namespace: one for each interface. */
  static String namespace(Contract contract) {
    return namespace(contract.type());
  }

  /** The target namespace of a remote interface. */
  static String namespace(Class<?> type) {
    return "urn:rmigate:contract:" + type.getName().replace('$', '.');
  }

  /** The service of a contract's WSDL. */
  static String service(String contract) {
    return contract + "Service";
  }

  /** The namespace of the types, of which no element ever has one. */
  static String types(String namespace) {
    return namespace + ":types";
  }

  static String response(Operation operation) {
    return operation.name() + "Response";
  }
}
