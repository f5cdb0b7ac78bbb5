package io.rmigate.soap.soap;

import io.rmigate.soap.publish.Contract;
import io.rmigate.soap.soap.SoapProblem.Kind;
import io.rmigate.soap.xml.LeaseDocument;
import io.rmigate.soap.xml.WsdlDocument;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.namespace.QName;

/**
 * The actions by which one operation may be called. The body decides on the operation; a gateway in
 * between that looked at an action only must not have let another one pass.
 */
final class Actions {
  private static final Pattern QUOTED = Pattern.compile("\"([^\"]*)\"");

  private final QName wrapper;

  /**
   * What WS-Addressing has for messages of a WSDL that names none begins so (WSDL Binding, 4.4.4).
   */
  private final String standard;

  private Actions(QName wrapper, String standard) {
    this.wrapper = wrapper;
    this.standard = standard;
  }

  /**
   * The permitted actions of the operation with a payload.
   *
   * @param contract of the object that is called
   */
  static Actions of(Contract contract, QName wrapper) {
    String portType =
        wrapper.getNamespaceURI().equals(LeaseDocument.NAMESPACE)
            ? WsdlDocument.leasePortType(contract)
            : contract.name();
    return new Actions(wrapper, WsdlDocument.namespace(contract) + ":" + portType + ":");
  }

  /** The action of the answer. */
  String response() {
    return standard + wrapper.getLocalPart() + "Response";
  }

  /**
   * Wherever there is one it must be of this operation.
   *
   * @param soapAction the HTTP header, in quotes or not
   * @param others empty where there is none
   */
  void mustFit(String soapAction, List<String> others) throws SoapRefusedException {
    Matcher quoted = QUOTED.matcher(soapAction.strip());
    boolean fits = fits(quoted.matches() ? quoted.group(1) : soapAction.strip());
    if (!fits || !others.stream().allMatch(this::fits)) {
      throw new SoapRefusedException(
          Kind.ACTION, "The action does not match the operation in the body.");
    }
  }

  private boolean fits(String action) {
    String name = wrapper.getLocalPart();
    String prefix = wrapper.getNamespaceURI();
    return action.isEmpty()
        || action.equals(name)
        || action.equals(prefix + "#" + name)
        || action.equals(prefix + "/" + name)
        || action.equals(prefix + ":" + name)
        || action.equals(standard + name + "Request");
  }
}
