package io.rmigate.soap.xml;

import io.rmigate.soap.publish.Operation;
import io.rmigate.soap.publish.Operation.Parameter;
import io.rmigate.soap.type.Binary;
import io.rmigate.soap.type.Choice;
import io.rmigate.soap.type.Construction.ByConstructor;
import io.rmigate.soap.type.Dictionary;
import io.rmigate.soap.type.Enumeration;
import io.rmigate.soap.type.Property;
import io.rmigate.soap.type.Reference;
import io.rmigate.soap.type.Scalar;
import io.rmigate.soap.type.Sequence;
import io.rmigate.soap.type.Shape;
import io.rmigate.soap.type.Structure;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The XML Schema of operations, as {@link XmlReader} and {@link XmlWriter} have them. What has a
 * name, or is a sequence in a sequence or a map, is a type that is written once; types have a
 * namespace of their own, since generators make classes of both, and {@code customer(Customer)}
 * would give two of one name. Of one document.
 */
final class XmlSchema {
  /** The parts, by the names that they have in addresses; none refers to a later one. */
  static final String ADDRESSING = "addressing";

  static final String TYPES = "types";
  static final String CONTRACT = "contract";

  private final Markup target;
  private final Predicate<String> wanted;
  private final Function<String, Optional<String>> locations;

  /** Markup of the part that is being written; an unwanted part is discarded. */
  private Markup markup;

  /** Types that were referred to, in that order, and those of them that are still to be written. */
  private final Queue<Shape> pending = new ArrayDeque<>();

  private final Set<String> written = new HashSet<>();

  private final String namespace;
  private final String types;

  /**
   * @param wanted the parts that are to be written
   * @param locations where a part is, for those who import it; empty: in the same document
   */
  XmlSchema(
      String namespace,
      Markup target,
      Predicate<String> wanted,
      Function<String, Optional<String>> locations) {
    this.namespace = namespace;
    this.target = target;
    this.wanted = wanted;
    this.locations = locations;
    markup = target;
    types = XmlNames.types(namespace);
  }

  private void part(String name) {
    markup = wanted.test(name) ? target : new Markup();
  }

  /** The schemas of some operations, as children of the current element. */
  void write(List<Operation> operations) {
    boolean references = operations.stream().anyMatch(XmlSchema::hasReference);
    if (references) {
      part(ADDRESSING);
      addressing();
    }
    Set<Structure> faults = new LinkedHashSet<>();
    for (Operation operation : operations) {
      operation.parameters().forEach(p -> memberType(p.shape()));
      operation.result().ifPresent(this::memberType);
      operation.faults().forEach(this::type);
      faults.addAll(operation.faults());
    }
    part(TYPES);
    begin(types);
    imported(references, XmlNames.WSA, ADDRESSING);
    while (!pending.isEmpty()) {
      define(pending.remove());
    }
    markup.end();
    part(CONTRACT);
    begin(namespace);
    imported(true, types, TYPES);
    imported(references, XmlNames.WSA, ADDRESSING);
    operations.forEach(this::wrappers);
    for (Structure fault : faults) {
      markup.empty("xs:element", "name", fault.label(), "type", type(fault));
    }
    markup.end();
  }

  private void imported(boolean needed, String imported, String part) {
    Optional<String> location = locations.apply(part);
    if (needed && location.isPresent()) {
      markup.empty("xs:import", "namespace", imported, "schemaLocation", location.get());
    } else if (needed) {
      markup.empty("xs:import", "namespace", imported);
    }
  }

  /** The type of the elements by which a named part is present. */
  private String memberType(Shape shape) {
    return type(shape instanceof Sequence sequence ? sequence.element() : shape);
  }

  /** Declares the prefixes again, so that a schema can be taken out as it is. */
  private void begin(String target) {
    markup.begin(
        "xs:schema",
        "xmlns:xs",
        XmlNames.XSD,
        "xmlns:wsa",
        XmlNames.WSA,
        "xmlns:typ",
        types,
        "targetNamespace",
        target,
        "elementFormDefault",
        "unqualified");
  }

  private void wrappers(Operation operation) {
    beginWrapper(operation.name());
    for (Parameter parameter : operation.parameters()) {
      element(parameter.name(), parameter.shape(), !parameter.shape().nullable());
    }
    endWrapper();
    beginWrapper(XmlNames.response(operation));
    operation.result().ifPresent(r -> element(XmlNames.RETURN, r, !r.nullable()));
    endWrapper();
  }

  private void beginWrapper(String name) {
    markup.begin("xs:element", "name", name).begin("xs:complexType").begin("xs:sequence");
  }

  private void endWrapper() {
    markup.end().end().end();
  }

  /**
   * A named part. That of a sequence is repeated, and its elements may be nil; another one is null
   * by being left out: of elements that may also be nil, generators make wrappers.
   */
  private void element(String name, Shape shape, boolean required) {
    if (shape instanceof Sequence sequence) {
      Shape element = sequence.element();
      if (element.nullable()) {
        markup.empty(
            "xs:element",
            "name",
            name,
            "type",
            type(element),
            "nillable",
            "true",
            "minOccurs",
            "0",
            "maxOccurs",
            "unbounded");
      } else {
        markup.empty(
            "xs:element",
            "name",
            name,
            "type",
            type(element),
            "minOccurs",
            "0",
            "maxOccurs",
            "unbounded");
      }
    } else if (required) {
      markup.empty("xs:element", "name", name, "type", type(shape));
    } else {
      markup.empty("xs:element", "name", name, "type", type(shape), "minOccurs", "0");
    }
  }

  /** The name of a shape's type; one of ours is written later. */
  private String type(Shape shape) {
    if (shape instanceof Scalar scalar) {
      return "xs:" + scalar.schemaType();
    }
    if (shape instanceof Binary) {
      return "xs:base64Binary";
    }
    if (shape instanceof Reference) {
      return "wsa:EndpointReferenceType";
    }
    if (written.add(shape.label())) {
      pending.add(shape);
    }
    return "typ:" + shape.label();
  }

  private void define(Shape shape) {
    if (shape instanceof Enumeration enumeration) {
      markup
          .begin("xs:simpleType", "name", enumeration.label())
          .begin("xs:restriction", "base", "xs:string");
      enumeration.constants().forEach(c -> markup.empty("xs:enumeration", "value", c));
      markup.end().end();
      return;
    }
    markup.begin("xs:complexType", "name", shape.label());
    if (shape instanceof Choice choice) {
      markup.begin("xs:choice");
      choice.alternatives().forEach(a -> element(a.label(), a, true));
    } else {
      markup.begin("xs:sequence");
      if (shape instanceof Sequence sequence) {
        element(XmlNames.ITEM, sequence, false);
      } else if (shape instanceof Dictionary dictionary) {
        entries(dictionary);
      } else if (shape instanceof Structure structure) {
        structure.properties().forEach(p -> element(p.name(), p.shape(), isRequired(structure, p)));
      } else {
        throw new AssertionError(shape);
      }
    }
    markup.end().end();
  }

  private void entries(Dictionary dictionary) {
    markup
        .begin("xs:element", "name", XmlNames.ENTRY, "minOccurs", "0", "maxOccurs", "unbounded")
        .begin("xs:complexType")
        .begin("xs:sequence");
    element(XmlNames.KEY, dictionary.key(), !dictionary.key().nullable());
    element(XmlNames.VALUE, dictionary.value(), !dictionary.value().nullable());
    markup.end().end().end();
  }

  /** A bean keeps what its class gives it; a constructor cannot do without its primitives. */
  private static boolean isRequired(Structure structure, Property property) {
    return !property.shape().nullable()
        && (!(structure.construction() instanceof ByConstructor way)
            || way.properties().contains(property.name()));
  }

  private static boolean hasReference(Operation operation) {
    Set<Shape> seen = new HashSet<>();
    return operation.parameters().stream().anyMatch(p -> hasReference(p.shape(), seen))
        || operation.result().filter(r -> hasReference(r, seen)).isPresent()
        || operation.faults().stream().anyMatch(f -> hasReference(f, seen));
  }

  private static boolean hasReference(Shape shape, Set<Shape> seen) {
    if (!seen.add(shape)) {
      return false;
    }
    if (shape instanceof Sequence sequence) {
      return hasReference(sequence.element(), seen);
    }
    if (shape instanceof Dictionary dictionary) {
      return hasReference(dictionary.key(), seen) || hasReference(dictionary.value(), seen);
    }
    if (shape instanceof Choice choice) {
      return choice.alternatives().stream().anyMatch(a -> hasReference(a, seen));
    }
    if (shape instanceof Structure structure) {
      return structure.properties().stream().anyMatch(p -> hasReference(p.shape(), seen));
    }
    return shape instanceof Reference;
  }

  /**
   * As much of WS-Addressing 1.0 as a reference needs, so that no client has to fetch its schema.
   */
  private void addressing() {
    markup.begin(
        "xs:schema",
        "xmlns:xs",
        XmlNames.XSD,
        "xmlns:wsa",
        XmlNames.WSA,
        "targetNamespace",
        XmlNames.WSA,
        "elementFormDefault",
        "qualified");
    markup.empty("xs:element", "name", "EndpointReference", "type", "wsa:EndpointReferenceType");
    markup
        .begin("xs:complexType", "name", "EndpointReferenceType")
        .begin("xs:sequence")
        .empty("xs:element", "name", XmlNames.ADDRESS, "type", "xs:anyURI")
        .empty(
            "xs:any",
            "namespace",
            "##any",
            "processContents",
            "lax",
            "minOccurs",
            "0",
            "maxOccurs",
            "unbounded")
        .end()
        .end();
    markup.end();
  }
}
