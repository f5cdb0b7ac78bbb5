package io.rmigate.gateway.audit;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;

/**
 * An entry as a line of JSON, with ASCII only and without control characters, because clients
 * choose names; a text of more than {@link #MAX_CHARS} characters is cut.
 */
final class AuditLine {
  /** Longest text of a field, in characters. */
  static final int MAX_CHARS = 256;

  private static final String CUT = "...";
  private static final AuditField[] FIELDS = AuditField.values();

  /** Always three digits, so that times compare as texts. */
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

  /** Escapes DEL, the only control character that JSON permits without an escape. */
  private static final class DeleteEscaped extends CharacterEscapes {
    private static final long serialVersionUID = 1L;
    private static final int DELETE = 0x7f;

    @Override
    public int[] getEscapeCodesForAscii() {
      int[] escapes = CharacterEscapes.standardAsciiEscapesForJSON();
      escapes[DELETE] = CharacterEscapes.ESCAPE_STANDARD;
      return escapes;
    }

    @Override
    public SerializableString getEscapeSequence(int character) {
      return null;
    }
  }

  private static final JsonFactory JSON =
      ((JsonFactoryBuilder) JsonFactory.builder())
          .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
          .characterEscapes(new DeleteEscaped())
          .build();

  /** The line without its line break and without a hash. */
  static byte[] encode(long number, AuditEntry entry) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
    try (JsonGenerator line = JSON.createGenerator(bytes)) {
      line.writeStartObject();
      line.writeNumberField(AuditField.NUMBER.key(), number);
      line.writeStringField(
          AuditField.TIME.key(), TIME.format(Instant.ofEpochMilli(entry.millis())));
      line.writeStringField(AuditField.EVENT.key(), entry.event().word());
      line.writeStringField(AuditField.OUTCOME.key(), entry.outcome().word());
      for (AuditField field : FIELDS) {
        Object value = entry.value(field);
        if (value != null) {
          write(line, field, value);
        }
      }
      line.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot be: it is written to memory", e);
    }
    return bytes.toByteArray();
  }

  private static void write(JsonGenerator line, AuditField field, Object value) throws IOException {
    switch (field.kind()) {
      case NUMBER -> line.writeNumberField(field.key(), ((Number) value).longValue());
      case HEX ->
          line.writeStringField(
              field.key(), HexFormat.of().toHexDigits(((Number) value).longValue()));
      case TEXT -> line.writeStringField(field.key(), cut(value.toString()));
    }
  }

  /** The text, cut to the number of characters that a line keeps. */
  static String cut(String text) {
    return text.length() > MAX_CHARS ? text.substring(0, MAX_CHARS) + CUT : text;
  }

  private AuditLine() {}
}
