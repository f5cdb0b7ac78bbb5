package io.rmigate.gateway.boxes;

import java.util.List;

/**
 * A box that is there.
 *
 * @param arguments what an agent is told, so that its way leads through the box: the gateway's URL
 *     and what else it needs
 * @param parts what it consists of, closed in this order
 */
record StandingBox(String arguments, List<BoxPart> parts) implements AutoCloseable {
  StandingBox {
    parts = List.copyOf(parts);
  }

  /** What its programs have written. */
  String logs() {
    StringBuilder logs = new StringBuilder();
    parts.forEach(part -> logs.append(part.logs()));
    return logs.toString();
  }

  @Override
  public void close() {
    parts.forEach(BoxPart::close);
  }
}
