package io.rmigate.gateway.audit;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;

/**
 * What matters of a line when it is read again.
 *
 * @param previous what the field of that name says; null: nothing
 * @param hash at its end; null: it has none
 * @param begins whether it is one of those with which a file or a run may begin
 */
record WrittenLine(long number, Instant time, String previous, String hash, boolean begins) {
  /** Far more than {@link AuditLine} makes. */
  static final int MAX_BYTES = 64 * 1024;

  private static final JsonFactory JSON =
      ((JsonFactoryBuilder) JsonFactory.builder())
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .build();

  /** Reads a line without its line break; empty when it is none of ours. */
  static Optional<WrittenLine> parse(byte[] line) {
    if (line.length == 0 || line.length > MAX_BYTES || line[0] != '{') {
      return Optional.empty();
    }
    long number = 0;
    Instant time = null;
    String event = "";
    String outcome = "";
    String previous = null;
    try (JsonParser json = JSON.createParser(line)) {
      json.nextToken();
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String key = json.currentName();
        json.nextToken();
        if (json.currentToken().isStructStart()) {
          return Optional.empty();
        } else if (key.equals(AuditField.NUMBER.key())) {
          number = json.getLongValue();
        } else if (key.equals(AuditField.TIME.key())) {
          time = Instant.parse(json.getText());
        } else if (key.equals(AuditField.EVENT.key())) {
          event = json.getText();
        } else if (key.equals(AuditField.OUTCOME.key())) {
          outcome = json.getText();
        } else if (key.equals(AuditField.PREVIOUS.key())) {
          previous = json.getText();
        }
      }
      if (json.currentToken() != JsonToken.END_OBJECT || json.nextToken() != null) {
        return Optional.empty();
      }
    } catch (IOException | DateTimeParseException notOurs) {
      return Optional.empty();
    }
    if (number <= 0 || time == null || event.isEmpty()) {
      return Optional.empty();
    }
    boolean begins =
        event.equals(AuditEvent.AUDIT.word())
            && (outcome.equals(AuditOutcome.STARTED.word())
                || outcome.equals(AuditOutcome.ROTATED.word()));
    return Optional.of(new WrittenLine(number, time, previous, HashChain.in(line), begins));
  }
}
