package io.rmigate.gateway.container.ordinary.api;

import java.io.Serializable;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** An order, as programs of recent years write it. */
@SuppressWarnings({"serial", "ArrayRecordComponent"})
public record Order(
    UUID id, Status status, List<Line> lines, Map<Status, Instant> history, int[] codes)
    implements Serializable {

  /** A position of it. */
  public record Line(String article, int count, Money price) implements Serializable {}

  /** How far it is; one constant has a body. */
  public enum Status {
    OPEN,
    PAID {
      @Override
      public boolean isFinal() {
        return true;
      }
    };

    public boolean isFinal() {
      return false;
    }
  }
}
