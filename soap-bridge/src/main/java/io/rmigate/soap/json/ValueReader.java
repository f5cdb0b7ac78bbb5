package io.rmigate.soap.json;

import com.fasterxml.jackson.core.Base64Variants;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonParser.NumberType;
import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.exc.StreamReadException;
import io.rmigate.soap.call.RemoteReferences;
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
import io.rmigate.soap.type.Scalar.Range;
import io.rmigate.soap.type.Sequence;
import io.rmigate.soap.type.Shape;
import io.rmigate.soap.type.Structure;
import java.io.IOException;
import java.util.Map;

/**
 * Makes Java values of JSON, each of the shape that the signature asks for. Reads in one pass,
 * except for a choice whose name does not come first. Of one request; confined to its thread.
 */
final class ValueReader {
  private final JsonParser json;
  private final RemoteReferences references;
  private final KeyCosts costs;
  private final ValueRoom room;

  /** The place of the parser's root in the request. */
  private final JsonPointer root;

  ValueReader(JsonParser json, RemoteReferences references, ValueRoom room) {
    this(json, references, new KeyCosts(), room, JsonPointer.empty());
  }

  private ValueReader(
      JsonParser json,
      RemoteReferences references,
      KeyCosts costs,
      ValueRoom room,
      JsonPointer root) {
    this.json = json;
    this.references = references;
    this.costs = costs;
    this.room = room;
    this.root = root;
  }

  /** Something is wrong with the value at which the parser is. */
  BadArgumentException bad(String detail) {
    return new BadArgumentException(pointer().toString(), detail);
  }

  private JsonPointer pointer() {
    return root.append(json.getParsingContext().pathAsPointer());
  }

  /** Reads the value whose first token is the current one; ends at its last. */
  Object read(Shape shape) throws IOException, BadArgumentException {
    costs.onRead(0);
    if (json.currentToken() == JsonToken.VALUE_NULL) {
      if (shape.nullable()) {
        return null;
      }
      throw bad("must not be null");
    }
    room.onValue(shape);
    try {
      return value(shape);
    } catch (ConstructionException e) {
      throw bad(e.getMessage());
    }
  }

  private Object value(Shape shape)
      throws IOException, BadArgumentException, ConstructionException {
    if (shape instanceof Scalar scalar) {
      return scalar(scalar);
    }
    if (shape instanceof Binary) {
      return binary();
    }
    if (shape instanceof Enumeration enumeration) {
      return word(enumeration, text());
    }
    if (shape instanceof Sequence sequence) {
      return sequence(sequence);
    }
    if (shape instanceof Dictionary dictionary) {
      return dictionary.keysAreWords() ? object(dictionary) : entries(dictionary);
    }
    if (shape instanceof Structure structure) {
      expect(JsonToken.START_OBJECT, "an object");
      return structure(structure, json.nextFieldName());
    }
    if (shape instanceof Choice choice) {
      return choice(choice);
    }
    if (shape instanceof Reference reference) {
      return reference(reference);
    }
    throw new AssertionError(shape);
  }

  private void expect(JsonToken token, String what) throws BadArgumentException {
    if (json.currentToken() != token) {
      throw bad("is not " + what);
    }
  }

  private Object scalar(Scalar scalar) throws IOException, BadArgumentException {
    JsonToken token = json.currentToken();
    return switch (scalar.kind()) {
      case BOOLEAN -> {
        if (!token.isBoolean()) {
          throw bad("is neither true nor false");
        }
        yield json.getBooleanValue();
      }
      case INTEGER -> integer(scalar.range());
      case FLOATING -> floating(scalar, token);
      case EXACT -> word(scalar, token.isNumeric() ? json.getText() : text());
      case CHARACTER, TEXT -> word(scalar, text());
    };
  }

  private Object integer(Range range) throws IOException, BadArgumentException {
    expect(JsonToken.VALUE_NUMBER_INT, "a whole number");
    if (json.getNumberType() != NumberType.BIG_INTEGER) {
      long value = json.getLongValue();
      if (range.contains(value)) {
        return range.boxed().apply(value);
      }
    }
    throw bad("is not between " + range.minimum() + " and " + range.maximum());
  }

  private Object floating(Scalar scalar, JsonToken token) throws IOException, BadArgumentException {
    if (token.isNumeric()) {
      return word(scalar, json.getText());
    }
    String text = token == JsonToken.VALUE_STRING ? json.getText() : "";
    if (text.equals("NaN") || text.equals("Infinity") || text.equals("-Infinity")) {
      return word(scalar, text);
    }
    throw bad("is not a number");
  }

  private Object word(Shape shape, String text) throws BadArgumentException {
    try {
      return shape instanceof Enumeration enumeration
          ? enumeration.parse(text)
          : ((Scalar) shape).parse(text);
    } catch (IllegalArgumentException e) {
      throw bad(e.getMessage());
    }
  }

  private String text() throws IOException, BadArgumentException {
    expect(JsonToken.VALUE_STRING, "a string");
    return checked(json.getText());
  }

  /** Half of a surrogate pair is no character, and XML has no NUL: neither could come back. */
  private String checked(String text) throws IOException, BadArgumentException {
    costs.onRead(text.length());
    boolean wide = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      wide |= c > 0xFF;
      if (c == 0) {
        throw bad("contains the character NUL");
      }
      if (Character.isSurrogate(c)) {
        boolean pair =
            Character.isHighSurrogate(c)
                && i + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(i + 1));
        if (!pair) {
          throw bad("contains half of a surrogate pair");
        }
        i++;
      }
    }
    room.onContent(text.length(), wide);
    return text;
  }

  /** Decodes while it reads, so that there is never a text of that length. */
  private byte[] binary() throws IOException, BadArgumentException {
    expect(JsonToken.VALUE_STRING, "a string of base64");
    GatheredBytes bytes = new GatheredBytes();
    try {
      json.readBinaryValue(Base64Variants.MIME_NO_LINEFEEDS, bytes);
    } catch (StreamReadException | IllegalArgumentException e) {
      throw bad("is not base64 with padding and without line breaks");
    }
    byte[] all = bytes.toByteArray();
    room.onContent(all.length, false);
    return all;
  }

  private Object sequence(Sequence sequence)
      throws IOException, BadArgumentException, ConstructionException {
    expect(JsonToken.START_ARRAY, "an array");
    if (json.nextToken() == JsonToken.END_ARRAY) {
      return sequence.empty();
    }
    Sequence.Builder elements = sequence.builder();
    KeyCosts.Keys keys = costs.of(sequence);
    do {
      long since = costs.read();
      room.onElement(sequence);
      Object element = read(sequence.element());
      if (!add(elements, keys, element, since)) {
        throw bad("is in the set already");
      }
    } while (json.nextToken() != JsonToken.END_ARRAY);
    return elements.build();
  }

  /** A collection may refuse an element, as a sorted one does null. */
  private boolean add(Sequence.Builder elements, KeyCosts.Keys keys, Object element, long since)
      throws BadArgumentException, ConstructionException {
    try {
      keys.add(element, since);
      return elements.add(element);
    } catch (NullPointerException | ClassCastException | IllegalArgumentException e) {
      throw bad("cannot be an element here");
    }
  }

  private Object object(Dictionary dictionary)
      throws IOException, BadArgumentException, ConstructionException {
    expect(JsonToken.START_OBJECT, "an object");
    Map<Object, Object> map = dictionary.newMap();
    KeyCosts.Keys keys = costs.of(dictionary);
    for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
      long since = costs.read();
      room.onEntry();
      Object key = word(dictionary.key(), checked(name));
      add(keys, key, since);
      json.nextToken();
      put(map, key, read(dictionary.value()));
    }
    return map;
  }

  private Object entries(Dictionary dictionary)
      throws IOException, BadArgumentException, ConstructionException {
    expect(JsonToken.START_ARRAY, "an array of entries");
    Map<Object, Object> map = dictionary.newMap();
    KeyCosts.Keys keys = costs.of(dictionary);
    while (json.nextToken() != JsonToken.END_ARRAY) {
      expect(JsonToken.START_OBJECT, "an object of key and value");
      room.onEntry();
      Object[] entry = new Object[2];
      boolean[] given = new boolean[2];
      for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
        int place = name.equals(JsonNames.KEY) ? 0 : name.equals(JsonNames.VALUE) ? 1 : -1;
        firstOf(place, given);
        json.nextToken();
        long since = costs.read();
        entry[place] = read(place == 0 ? dictionary.key() : dictionary.value());
        if (place == 0) {
          add(keys, entry[0], since);
        }
      }
      if (!given[0]) {
        throw bad("has no key");
      }
      put(map, entry[0], entry[1]);
    }
    return map;
  }

  private void add(KeyCosts.Keys keys, Object key, long since)
      throws BadArgumentException, ConstructionException {
    try {
      keys.add(key, since);
    } catch (NullPointerException | ClassCastException | IllegalArgumentException e) {
      throw bad("cannot be a key");
    }
  }

  private void put(Map<Object, Object> map, Object key, Object value) throws BadArgumentException {
    try {
      if (map.containsKey(key)) {
        throw bad("has a key twice");
      }
      map.put(key, value);
    } catch (NullPointerException | ClassCastException | IllegalArgumentException e) {
      throw bad("cannot be an entry here");
    }
  }

  /** Marks a name as seen. It must be a known one, and new. */
  void firstOf(int place, boolean[] given) throws BadArgumentException {
    if (place < 0) {
      throw bad("is not known");
    }
    if (given[place]) {
      throw bad("is there twice");
    }
    given[place] = true;
  }

  private Object structure(Structure structure, String first)
      throws IOException, BadArgumentException, ConstructionException {
    return structure(structure, first, false);
  }

  /**
   * @param says whether what it is stands among its members, where it has been looked at already
   */
  private Object structure(Structure structure, String first, boolean says)
      throws IOException, BadArgumentException, ConstructionException {
    Object[] values = new Object[structure.properties().size()];
    boolean[] given = new boolean[values.length];
    boolean said = false;
    for (String name = first; name != null; name = json.nextFieldName()) {
      if (says && name.equals(JsonNames.ALTERNATIVE)) {
        json.nextToken();
        if (said) {
          throw bad("is there twice");
        }
        expect(JsonToken.VALUE_STRING, "a string");
        said = true;
        continue;
      }
      int place = structure.position(name);
      firstOf(place, given);
      json.nextToken();
      Property property = structure.properties().get(place);
      if (structure.takes(property)) {
        values[place] = read(property.shape());
      } else {
        json.skipChildren();
      }
    }
    nothingMissing(structure, given);
    return structure.make(values, given);
  }

  /** Checks that no value is missing that a constructor takes and that cannot be null. */
  private void nothingMissing(Structure structure, boolean[] given) throws BadArgumentException {
    for (String name : ((ByConstructor) structure.construction()).properties()) {
      int place = structure.position(name);
      if (!given[place] && !structure.properties().get(place).shape().nullable()) {
        throw new BadArgumentException(
            pointer().appendProperty(name).toString(), "is missing, and cannot be null");
      }
    }
  }

  private Object choice(Choice choice)
      throws IOException, BadArgumentException, ConstructionException {
    expect(JsonToken.START_OBJECT, "an object");
    String first = json.nextFieldName();
    if (JsonNames.ALTERNATIVE.equals(first)) {
      json.nextToken();
      Structure alternative = alternative(choice, json);
      return structure(alternative, json.nextFieldName());
    }
    if (json instanceof ObjectAhead ahead) {
      return again(choice, ahead, first);
    }
    JsonPointer here = root.append(json.getParsingContext().getParent().pathAsPointer());
    try (ObjectAhead.Builder rest = new ObjectAhead.Builder()) {
      Structure alternative = readAhead(choice, first, rest);
      try (ObjectAhead again = rest.build(json)) {
        return new ValueReader(again, references, costs, room, here)
            .structure(alternative, again.nextFieldName());
      }
    }
  }

  /** Sets all of an object aside until its alternative is known. */
  private Structure readAhead(Choice choice, String first, ObjectAhead.Builder rest)
      throws IOException, BadArgumentException {
    Structure alternative = null;
    for (String name = first; name != null; name = json.nextFieldName()) {
      json.nextToken();
      if (!name.equals(JsonNames.ALTERNATIVE)) {
        rest.add(name, json);
      } else if (alternative == null) {
        alternative = alternative(choice, json);
      } else {
        throw bad("is there twice");
      }
    }
    if (alternative == null) {
      throw bad(unsaid(choice));
    }
    return alternative;
  }

  private static String unsaid(Choice choice) {
    return "has no " + JsonNames.ALTERNATIVE + " that says which " + choice.label() + " it is";
  }

  /** Reads an object within one that was read ahead. */
  private Object again(Choice choice, ObjectAhead ahead, String first)
      throws IOException, BadArgumentException, ConstructionException {
    JsonStreamContext at = json.getParsingContext();
    JsonPointer here = root.append((first == null ? at : at.getParent()).pathAsPointer());
    String name =
        ahead
            .alternative()
            .orElseThrow(() -> new BadArgumentException(here.toString(), unsaid(choice)));
    Structure alternative =
        choice
            .named(name)
            .orElseThrow(
                () ->
                    new BadArgumentException(
                        here.appendProperty(JsonNames.ALTERNATIVE).toString(),
                        "is no " + choice.label()));
    return structure(alternative, first, true);
  }

  private Structure alternative(Choice choice, JsonParser from)
      throws IOException, BadArgumentException {
    expect(JsonToken.VALUE_STRING, "a string");
    String name = from.getText();
    return choice.named(name).orElseThrow(() -> bad("is no " + choice.label()));
  }

  /** The URL of a handle, or the object that it came as. */
  private Object reference(Reference reference) throws IOException, BadArgumentException {
    String href = null;
    if (json.currentToken() == JsonToken.VALUE_STRING) {
      href = text();
    } else {
      expect(JsonToken.START_OBJECT, "the URL of a handle, or an object with its href");
      boolean[] given = new boolean[3];
      for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
        int place =
            switch (name) {
              case JsonNames.HREF -> 0;
              case JsonNames.INTERFACE -> 1;
              case JsonNames.EXPIRES -> 2;
              default -> -1;
            };
        firstOf(place, given);
        json.nextToken();
        href = place == 0 ? text() : href;
      }
    }
    return references
        .resolve(href == null ? "" : href, reference.javaType())
        .orElseThrow(() -> bad("is no handle of a " + reference.label()));
  }
}
