package io.rmigate.soap.xml;

import io.rmigate.soap.call.CallPermission;
import io.rmigate.soap.publish.Contract;
import io.rmigate.soap.publish.Operation;
import io.rmigate.soap.type.Structure;
import java.net.URI;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * The WSDL 1.1 document of a contract, with its schemas in it or linked: document/literal wrapped,
 * one port for SOAP 1.1 and one for SOAP 1.2. Only what its reader may call is in it. Immutable.
 */
public final class WsdlDocument {
  private static final String TRANSPORT = "http://schemas.xmlsoap.org/soap/http";

  /** How the port type of the operations on a reference itself ends. */
  private static final String LEASE = "Lease";

  private final Contract contract;
  private final String address;
  private final boolean leased;
  private final String namespace;
  private final List<Operation> operations;
  private final Set<Structure> faults = new LinkedHashSet<>();

  private WsdlDocument(
      Contract contract, String address, CallPermission permission, boolean leased) {
    this.contract = contract;
    this.address = address;
    this.leased = leased;
    namespace = XmlNames.namespace(contract);
    operations =
        contract.operations().stream().filter(o -> permission.permits(contract, o)).toList();
    operations.forEach(operation -> faults.addAll(operation.faults()));
  }

  /** The name of the port type of the operations on references to a contract's objects. */
  public static String leasePortType(Contract contract) {
    return contract.name() + LEASE;
  }

  /** The target namespace of a contract's elements. */
  public static String namespace(Contract contract) {
    return XmlNames.namespace(contract);
  }

  /**
   * The WSDL document of a published object.
   *
   * @param address of the object as clients reach it
   */
  public static WsdlDocument of(Contract contract, URI address, CallPermission permission) {
    return new WsdlDocument(contract, address.toString(), permission, false);
  }

  /**
   * The WSDL document of an object behind a handle, with the operations on the handle itself.
   *
   * @param address of the handle; or where clients find this description, if it is of no certain
   *     one
   */
  public static WsdlDocument ofReference(
      Contract contract, URI address, CallPermission permission) {
    return new WsdlDocument(contract, address.toString(), permission, true);
  }

  /** With its schemas in it. */
  public String inlined() {
    return make(part -> Optional.empty());
  }

  /**
   * Without its schemas.
   *
   * @param locations where {@link #schema} of that name is found
   */
  public String linked(UnaryOperator<String> locations) {
    return make(part -> Optional.of(locations.apply(part)));
  }

  /**
   * One of the schemas alone.
   *
   * @param name {@code contract}, {@code types} or {@code addressing}
   * @param locations where the others are found
   * @return empty if there is none of that name
   */
  public Optional<String> schema(String name, UnaryOperator<String> locations) {
    Markup markup = new Markup();
    String empty = markup.toString();
    new XmlSchema(namespace, markup, name::equals, part -> Optional.of(locations.apply(part)))
        .write(operations);
    return Optional.of(markup.toString()).filter(text -> !text.equals(empty));
  }

  private String make(Function<String, Optional<String>> locations) {
    Markup markup = new Markup();
    markup.begin(
        "wsdl:definitions",
        "xmlns:wsdl",
        "http://schemas.xmlsoap.org/wsdl/",
        "xmlns:soap",
        "http://schemas.xmlsoap.org/wsdl/soap/",
        "xmlns:soap12",
        "http://schemas.xmlsoap.org/wsdl/soap12/",
        "xmlns:xs",
        XmlNames.XSD,
        "xmlns:wsa",
        XmlNames.WSA,
        "xmlns:lease",
        LeaseDocument.NAMESPACE,
        "xmlns:tns",
        namespace,
        "name",
        contract.name(),
        "targetNamespace",
        namespace);
    markup.begin("wsdl:types");
    Optional<String> link = locations.apply(XmlSchema.CONTRACT);
    if (link.isPresent()) {
      markup
          .begin("xs:schema")
          .empty("xs:import", "namespace", namespace, "schemaLocation", link.get())
          .end();
    } else {
      new XmlSchema(namespace, markup, part -> true, locations).write(operations);
    }
    if (leased) {
      LeaseDocument.schema(markup);
    }
    markup.end();
    new Definitions(markup).write();
    return markup.end().toString();
  }

  /** The part of one WSDL document that follows the schemas. */
  private final class Definitions {
    private final Markup markup;

    Definitions(Markup markup) {
      this.markup = markup;
    }

    void write() {
      messages();
      portType();
      binding("soap", "Soap11");
      binding("soap12", "Soap12");
      if (leased) {
        lease();
      }
      markup.begin("wsdl:service", "name", XmlNames.service(contract.name()));
      port("soap", contract.name() + "Soap11");
      port("soap12", contract.name() + "Soap12");
      if (leased) {
        port("soap", leasePortType(contract));
      }
      markup.end();
    }

    /** In SOAP 1.1 only: there is no difference but in the envelope. */
    private void lease() {
      for (String operation : LeaseDocument.OPERATIONS) {
        leaseMessage(operation);
        leaseMessage(operation + "Response");
      }
      String portType = leasePortType(contract);
      markup.begin("wsdl:portType", "name", portType);
      for (String operation : LeaseDocument.OPERATIONS) {
        markup
            .begin("wsdl:operation", "name", operation)
            .empty("wsdl:input", "message", "tns:" + LEASE + "." + operation)
            .empty("wsdl:output", "message", "tns:" + LEASE + "." + operation + "Response")
            .end();
      }
      markup.end();
      markup
          .begin("wsdl:binding", "name", portType, "type", "tns:" + portType)
          .empty("soap:binding", "style", "document", "transport", TRANSPORT);
      LeaseDocument.OPERATIONS.forEach(
          operation -> {
            beginBound("soap", operation);
            markup.end();
          });
      markup.end();
    }

    private void leaseMessage(String element) {
      markup
          .begin("wsdl:message", "name", LEASE + "." + element)
          .empty("wsdl:part", "name", "parameters", "element", "lease:" + element)
          .end();
    }

    private void messages() {
      for (Operation operation : operations) {
        message(operation.name(), "parameters", operation.name());
        String response = XmlNames.response(operation);
        message(response, "parameters", response);
      }
      faults.forEach(fault -> message(faultMessage(fault), "fault", fault.label()));
    }

    private void message(String name, String part, String element) {
      markup
          .begin("wsdl:message", "name", name)
          .empty("wsdl:part", "name", part, "element", "tns:" + element)
          .end();
    }

    private static String faultMessage(Structure fault) {
      return fault.label() + "Fault";
    }

    private void portType() {
      markup.begin("wsdl:portType", "name", contract.name());
      for (Operation operation : operations) {
        markup
            .begin("wsdl:operation", "name", operation.name())
            .empty("wsdl:input", "message", "tns:" + operation.name())
            .empty("wsdl:output", "message", "tns:" + XmlNames.response(operation));
        for (Structure fault : operation.faults()) {
          markup.empty(
              "wsdl:fault", "name", fault.label(), "message", "tns:" + faultMessage(fault));
        }
        markup.end();
      }
      markup.end();
    }

    private void binding(String prefix, String version) {
      markup
          .begin(
              "wsdl:binding", "name", contract.name() + version, "type", "tns:" + contract.name())
          .empty(prefix + ":binding", "style", "document", "transport", TRANSPORT);
      for (Operation operation : operations) {
        beginBound(prefix, operation.name());
        for (Structure fault : operation.faults()) {
          markup
              .begin("wsdl:fault", "name", fault.label())
              .empty(prefix + ":fault", "name", fault.label(), "use", "literal")
              .end();
        }
        markup.end();
      }
      markup.end();
    }

    private void beginBound(String prefix, String operation) {
      markup
          .begin("wsdl:operation", "name", operation)
          .empty(prefix + ":operation", "soapAction", "")
          .begin("wsdl:input")
          .empty(prefix + ":body", "use", "literal")
          .end()
          .begin("wsdl:output")
          .empty(prefix + ":body", "use", "literal")
          .end();
    }

    /** Each has the name of its binding. */
    private void port(String prefix, String name) {
      markup
          .begin("wsdl:port", "name", name, "binding", "tns:" + name)
          .empty(prefix + ":address", "location", address)
          .end();
    }
  }
}
