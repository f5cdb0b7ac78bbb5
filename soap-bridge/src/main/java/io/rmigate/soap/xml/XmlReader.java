package io.rmigate.soap.xml;

import io.rmigate.soap.call.RemoteReferences;
import io.rmigate.soap.publish.Operation;
import io.rmigate.soap.publish.Operation.Parameter;
import io.rmigate.soap.type.Binary;
import io.rmigate.soap.type.Choice;
import io.rmigate.soap.type.Construction.ByConstructor;
import io.rmigate.soap.type.ConstructionException;
import io.rmigate.soap.type.Dictionary;
import io.rmigate.soap.type.Enumeration;
import io.rmigate.soap.type.KeyCosts;
import io.rmigate.soap.type.Property;
import io.rmigate.soap.type.Reference;
import io.rmigate.soap.type.Scalar;
import io.rmigate.soap.type.Sequence;
import io.rmigate.soap.type.Shape;
import io.rmigate.soap.type.Structure;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Makes Java values of elements, each of the shape that the signature asks for, in one pass. Of one
 * request; confined to its thread. The maker of the stream bounds its size and refuses a DOCTYPE.
 */
public final class XmlReader {
  /** Characters of its value, with blanks. */
  private static final int MAX_NIL = 100;

  private final XMLStreamReader xml;
  private final RemoteReferences references;
  private final BinaryCarrier binaries;
  private final KeyCosts costs = new KeyCosts();
  private final int maxDepth;
  private final Deque<String> path = new ArrayDeque<>();
  private int elements;
  private final int maxElements;

  /**
   * @param maxDepth elements in elements
   * @param maxElements of the payload together
   */
  public XmlReader(
      XMLStreamReader xml,
      RemoteReferences references,
      BinaryCarrier binaries,
      int maxDepth,
      int maxElements) {
    this.xml = xml;
    this.references = references;
    this.binaries = binaries;
    this.maxDepth = maxDepth;
    this.maxElements = maxElements;
  }

  /**
   * Reads the arguments out of the wrapper element at whose start the stream is; ends at its end.
   *
   * @throws BadElementException they are not what the operation takes
   */
  public Object[] arguments(Operation operation) throws XMLStreamException, BadElementException {
    List<Parameter> parameters = operation.parameters();
    List<Member> members =
        parameters.stream().map(p -> new Member(p.name(), p.shape(), true)).toList();
    enter();
    Values values = members(members);
    for (int i = 0; i < parameters.size(); i++) {
      Parameter parameter = parameters.get(i);
      mustBeThere(parameter.name(), parameter.shape(), values.given[i]);
      values.values[i] = emptyIfAbsent(parameter.shape(), values, i);
    }
    leave();
    return values.values;
  }

  /** A named part of an element, which may be passed over. */
  private record Member(String name, Shape shape, boolean taken) {}

  private static final class Values {
    final Object[] values;
    final boolean[] given;

    Values(int count) {
      values = new Object[count];
      given = new boolean[count];
    }
  }

  private BadElementException bad(String detail) {
    return new BadElementException(
        String.join("/", (Iterable<String>) path::descendingIterator), detail);
  }

  /** Begins the element at which the stream is. */
  private void enter() throws BadElementException {
    costs.onRead(0);
    path.push(xml.getLocalName());
    if (path.size() > maxDepth) {
      throw new BadElementException(xml.getLocalName(), "is deeper than " + maxDepth);
    }
    if (++elements > maxElements) {
      throw bad("is one element too many, of " + maxElements);
    }
    for (int i = 0; i < xml.getAttributeCount(); i++) {
      // xsi:type and schemaLocation are hints, of which none is taken: types come from the
      // contract.
      if (!XmlNames.XSI.equals(xml.getAttributeNamespace(i))) {
        throw bad("has the attribute " + xml.getAttributeLocalName(i) + ", which is not known");
      }
    }
  }

  private void leave() {
    path.pop();
  }

  private boolean isNil() {
    String nil = xml.getAttributeValue(XmlNames.XSI, "nil");
    if (nil == null || nil.length() > MAX_NIL) {
      return false;
    }
    String word = nil.strip();
    return word.equals("true") || word.equals("1");
  }

  /** Goes to the next start or end of an element. Text between elements is a mistake. */
  private boolean nextChild() throws XMLStreamException, BadElementException {
    while (true) {
      switch (xml.next()) {
        case XMLStreamConstants.START_ELEMENT -> {
          return true;
        }
        case XMLStreamConstants.END_ELEMENT -> {
          return false;
        }
        case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA -> {
          if (!xml.isWhiteSpace()) {
            throw bad("has text between its elements");
          }
        }
        case XMLStreamConstants.SPACE, XMLStreamConstants.COMMENT -> {}
        default -> throw bad("has something in it that is neither element nor text");
      }
    }
  }

  /** Reads all children of the current element; sequences are made of repeated ones. */
  private Values members(List<Member> members) throws XMLStreamException, BadElementException {
    Values found = new Values(members.size());
    Sequence.Builder[] sequences = new Sequence.Builder[members.size()];
    KeyCosts.Keys[] keys = new KeyCosts.Keys[members.size()];
    while (nextChild()) {
      int place = place(members, xml.getLocalName());
      enter();
      if (place < 0 || (xml.getNamespaceURI() != null && !xml.getNamespaceURI().isEmpty())) {
        throw bad("is not known");
      }
      Member member = members.get(place);
      if (!member.taken) {
        skip();
      } else if (member.shape instanceof Sequence sequence) {
        if (sequences[place] == null) {
          sequences[place] = builder(sequence);
          keys[place] = costs.of(sequence);
        }
        long since = costs.read();
        Object element = read(sequence.element());
        add(keys[place], element, since);
        add(sequences[place], element);
      } else if (found.given[place]) {
        throw bad("is there twice");
      } else {
        found.values[place] = read(member.shape);
      }
      found.given[place] = true;
      leave();
    }
    for (int i = 0; i < sequences.length; i++) {
      if (sequences[i] != null) {
        found.values[i] = sequences[i].build();
      }
    }
    return found;
  }

  private static int place(List<Member> members, String name) {
    for (int i = 0; i < members.size(); i++) {
      if (members.get(i).name.equals(name)) {
        return i;
      }
    }
    return -1;
  }

  private Sequence.Builder builder(Sequence sequence) throws BadElementException {
    try {
      return sequence.builder();
    } catch (ConstructionException e) {
      throw bad(e.getMessage());
    }
  }

  private void add(KeyCosts.Keys keys, Object key, long since) throws BadElementException {
    try {
      keys.add(key, since);
    } catch (ConstructionException e) {
      throw bad(e.getMessage());
    } catch (NullPointerException | ClassCastException | IllegalArgumentException e) {
      throw bad("cannot be here");
    }
  }

  private void add(Sequence.Builder elements, Object element) throws BadElementException {
    try {
      if (!elements.add(element)) {
        throw bad("is in the set already");
      }
    } catch (NullPointerException | ClassCastException | IllegalArgumentException e) {
      throw bad("cannot be an element here");
    }
  }

  /** Passes over the rest of the current element, within the same bounds. */
  private void skip() throws XMLStreamException, BadElementException {
    int depth = 1;
    while (depth > 0) {
      int event = xml.next();
      if (event == XMLStreamConstants.START_ELEMENT) {
        depth++;
        if (++elements > maxElements || path.size() + depth > maxDepth) {
          throw bad("has too much in it");
        }
      } else if (event == XMLStreamConstants.END_ELEMENT) {
        depth--;
      }
    }
  }

  /** Reads the current element, which has been entered, up to its end. */
  private Object read(Shape shape) throws XMLStreamException, BadElementException {
    if (isNil()) {
      if (!shape.nullable()) {
        throw bad("must not be nil");
      }
      if (nextChild()) {
        throw bad("is nil and has elements");
      }
      return null;
    }
    try {
      return value(shape);
    } catch (ConstructionException | IllegalArgumentException e) {
      throw bad(e.getMessage());
    }
  }

  private Object value(Shape shape)
      throws XMLStreamException, BadElementException, ConstructionException {
    if (shape instanceof Scalar scalar) {
      return XmlText.parse(scalar, text());
    }
    if (shape instanceof Binary) {
      return bytes();
    }
    if (shape instanceof Enumeration enumeration) {
      return enumeration.parse(xml.getElementText().strip());
    }
    if (shape instanceof Sequence sequence) {
      Values items = members(List.of(new Member(XmlNames.ITEM, sequence, true)));
      return items.given[0] ? items.values[0] : sequence.builder().build();
    }
    if (shape instanceof Dictionary dictionary) {
      return dictionary(dictionary);
    }
    if (shape instanceof Structure structure) {
      return structure(structure);
    }
    if (shape instanceof Choice choice) {
      return choice(choice);
    }
    if (shape instanceof Reference reference) {
      return reference(reference);
    }
    throw new AssertionError(shape);
  }

  private String text() throws XMLStreamException {
    String text = xml.getElementText();
    costs.onRead(text.length());
    return text;
  }

  private byte[] bytes() throws XMLStreamException, BadElementException {
    try {
      return binaries.read(xml);
    } catch (IllegalArgumentException e) {
      throw bad("is no base64");
    }
  }

  private Object dictionary(Dictionary dictionary)
      throws XMLStreamException, BadElementException, ConstructionException {
    Map<Object, Object> map = dictionary.newMap();
    KeyCosts.Keys keys = costs.of(dictionary);
    List<Member> entry =
        List.of(
            new Member(XmlNames.KEY, dictionary.key(), true),
            new Member(XmlNames.VALUE, dictionary.value(), true));
    while (nextChild()) {
      enter();
      if (!xml.getLocalName().equals(XmlNames.ENTRY)) {
        throw bad("is not known");
      }
      long since = costs.read();
      Values values = members(entry);
      if (!values.given[0] && !dictionary.key().nullable()) {
        throw bad("has no key");
      }
      mustBeThere(XmlNames.VALUE, dictionary.value(), values.given[1]);
      add(keys, values.values[0], since);
      put(map, values.values[0], emptyIfAbsent(dictionary.value(), values, 1));
      leave();
    }
    return map;
  }

  private void put(Map<Object, Object> map, Object key, Object value) throws BadElementException {
    try {
      if (map.containsKey(key)) {
        throw bad("has a key twice");
      }
      map.put(key, value);
    } catch (NullPointerException | ClassCastException | IllegalArgumentException e) {
      throw bad("cannot be an entry here");
    }
  }

  private Object emptyIfAbsent(Shape shape, Values values, int place) throws BadElementException {
    return !values.given[place] && shape instanceof Sequence sequence
        ? builder(sequence).build()
        : values.values[place];
  }

  private void mustBeThere(String name, Shape shape, boolean given) throws BadElementException {
    if (!given && !shape.nullable()) {
      throw bad("has no " + name);
    }
  }

  private Object structure(Structure structure)
      throws XMLStreamException, BadElementException, ConstructionException {
    List<Member> members =
        structure.properties().stream()
            .map(p -> new Member(p.name(), p.shape(), structure.takes(p)))
            .toList();
    Values values = members(members);
    for (String name : ((ByConstructor) structure.construction()).properties()) {
      int place = structure.position(name);
      Property property = structure.properties().get(place);
      mustBeThere(name, property.shape(), values.given[place]);
      values.values[place] = emptyIfAbsent(property.shape(), values, place);
    }
    return structure.make(values.values, values.given);
  }

  private Object choice(Choice choice)
      throws XMLStreamException, BadElementException, ConstructionException {
    if (!nextChild()) {
      throw bad("says not which " + choice.label() + " it is");
    }
    enter();
    Optional<Structure> alternative = choice.named(xml.getLocalName());
    Object value = structure(alternative.orElseThrow(() -> bad("is no " + choice.label())));
    leave();
    if (nextChild()) {
      throw bad("is more than one");
    }
    return value;
  }

  /** Reads a WS-Addressing endpoint reference, of which only the address counts. */
  private Object reference(Reference reference) throws XMLStreamException, BadElementException {
    String address = null;
    while (nextChild()) {
      boolean isAddress =
          xml.getLocalName().equals(XmlNames.ADDRESS) && XmlNames.WSA.equals(xml.getNamespaceURI());
      if (!isAddress) {
        skip();
      } else if (address == null) {
        address = xml.getElementText().strip();
      } else {
        throw bad("has two addresses");
      }
    }
    return references
        .resolve(address == null ? "" : address, reference.javaType())
        .orElseThrow(() -> bad("is no reference to a " + reference.label()));
  }
}
