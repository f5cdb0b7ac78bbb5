package io.rmigate.soap.soap;

import io.rmigate.soap.call.CallPermission;
import io.rmigate.soap.publish.Contract;
import io.rmigate.soap.publish.Publication;
import io.rmigate.soap.xml.WsdlDocument;
import java.net.URI;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The WSDL of an object, by the query that asks for it: {@code ?wsdl} with its schemas in it;
 * {@code ?wsdl&linked} without, which are then at {@code ?xsd=contract} and so on. {@code
 * ?wsdl=Basket} at a published object is that of another interface to which it gives references,
 * for those who have no reference yet.
 *
 * @param contract of the object that was asked: the published one, or that of a handle
 * @param address of that object as clients reach it
 */
public record SoapDescription(
    Publication publication, Contract contract, URI address, CallPermission permission) {

  /** Media type of all documents. */
  public static final String CONTENT_TYPE = "text/xml; charset=utf-8";

  private static final String WSDL = "wsdl";
  private static final String XSD = "xsd";
  private static final String OF = "of";
  private static final String LINKED = "linked";

  /**
   * The document.
   *
   * @param query as in the request's address
   * @return empty if there is none
   */
  public Optional<String> document(String query) {
    Map<String, String> asked = new HashMap<>();
    for (String part : query.split("&", -1)) {
      String[] pair = part.split("=", 2);
      asked.put(pair[0].toLowerCase(Locale.ROOT), pair.length == 1 ? "" : pair[1]);
    }
    String name = asked.getOrDefault(asked.containsKey(WSDL) ? WSDL : OF, "");
    return contract(name).flatMap(found -> document(found, asked));
  }

  private Optional<Contract> contract(String name) {
    if (name.isEmpty() || name.equals(contract.name())) {
      return Optional.of(contract);
    }
    boolean published = contract.equals(publication.contract());
    return publication.contracts().stream()
        .filter(c -> published && c.name().equals(name))
        .findFirst();
  }

  private Optional<String> document(Contract found, Map<String, String> asked) {
    WsdlDocument document =
        found.equals(publication.contract())
            ? WsdlDocument.of(found, address, permission)
            : WsdlDocument.ofReference(found, address, permission);
    String of = found.equals(contract) ? "" : "&" + OF + "=" + found.name();
    if (asked.containsKey(XSD)) {
      return document.schema(asked.get(XSD), part -> location(part, of));
    }
    return asked.containsKey(WSDL)
        ? Optional.of(
            asked.containsKey(LINKED)
                ? document.linked(part -> location(part, of))
                : document.inlined())
        : Optional.empty();
  }

  private String location(String part, String of) {
    return address + "?" + XSD + "=" + part + of;
  }
}
