package io.rmigate.soap.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.ObjectCodec;
import com.fasterxml.jackson.core.util.JsonParserDelegate;
import com.fasterxml.jackson.databind.util.TokenBuffer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * An object that was read ahead, because it says what it is somewhere behind its beginning. What
 * the objects in it say of themselves is known from then on: were each of them read ahead once
 * more, what is deep in it would be copied as often as it is deep.
 */
final class ObjectAhead extends JsonParserDelegate {
  /** By the order in which they begin; null: that one does not say. */
  private final List<String> alternatives;

  private int begun = -1;

  private ObjectAhead(JsonParser tokens, List<String> alternatives) {
    super(tokens);
    this.alternatives = alternatives;
  }

  /** The alternative that the object that has begun last names. */
  Optional<String> alternative() {
    return Optional.ofNullable(alternatives.get(begun));
  }

  @Override
  public JsonToken nextToken() throws IOException {
    JsonToken token = super.nextToken();
    begun += token == JsonToken.START_OBJECT ? 1 : 0;
    return token;
  }

  @Override
  public JsonParser skipChildren() throws IOException {
    for (int depth = isStart() ? 1 : 0; depth > 0; ) {
      nextToken();
      depth += isStart() ? 1 : currentToken().isStructEnd() ? -1 : 0;
    }
    return this;
  }

  private boolean isStart() {
    return currentToken().isStructStart();
  }

  /** The object's members one by one, of those that it is to have. */
  static final class Builder implements AutoCloseable {
    private static final int IN_ARRAY = -1;

    private final TokenBuffer tokens = new TokenBuffer((ObjectCodec) null, false);
    private final List<String> alternatives = new ArrayList<>();

    /** Indexes of the objects whose first type member was read; its value may be no text. */
    private final BitSet saying = new BitSet();

    private int[] open = new int[8];
    private int depth;

    Builder() throws IOException {
      tokens.writeStartObject();
      alternatives.add(null);
    }

    /** Takes a value, at whose first token a parser is, up to its last one. */
    void add(String name, JsonParser json) throws IOException {
      tokens.writeFieldName(name);
      boolean says = false;
      do {
        JsonToken token = json.currentToken();
        if (says) {
          said(open[depth - 1], token == JsonToken.VALUE_STRING ? json.getText() : null);
        }
        says = token == JsonToken.FIELD_NAME && json.currentName().equals(JsonNames.ALTERNATIVE);
        if (token == JsonToken.START_OBJECT) {
          begin(alternatives.size());
          alternatives.add(null);
        } else if (token == JsonToken.START_ARRAY) {
          begin(IN_ARRAY);
        } else if (token.isStructEnd()) {
          depth--;
        }
        tokens.copyCurrentEvent(json);
      } while (depth > 0 && json.nextToken() != null);
    }

    /** Only the first counts, be it no text: what is there twice is refused when it is read. */
    private void said(int object, String alternative) {
      if (!saying.get(object)) {
        saying.set(object);
        alternatives.set(object, alternative);
      }
    }

    private void begin(int object) {
      if (depth == open.length) {
        open = Arrays.copyOf(open, 2 * depth);
      }
      open[depth++] = object;
    }

    /** At its first token. */
    ObjectAhead build(JsonParser of) throws IOException {
      tokens.writeEndObject();
      ObjectAhead object =
          new ObjectAhead(tokens.asParser(of.streamReadConstraints()), alternatives);
      object.nextToken();
      return object;
    }

    @Override
    public void close() throws IOException {
      tokens.close();
    }
  }
}
