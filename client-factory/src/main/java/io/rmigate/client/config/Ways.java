package io.rmigate.client.config;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The ways that may be taken, the one that is liked best first: the ladder.
 *
 * @param inOrder at least one, each once
 */
public record Ways(List<Way> inOrder) {
  /** The ways over the link only: a connection to be tunnelled never goes past the gateway. */
  public static final Ways LINK = new Ways(List.of(Way.WEBSOCKET, Way.POST));

  /** All ways. */
  public static final Ways AUTO = new Ways(List.of(Way.values()));

  public Ways {
    inOrder = List.copyOf(inOrder);
    if (inOrder.isEmpty() || EnumSet.copyOf(inOrder).size() < inOrder.size()) {
      throw new IllegalArgumentException("at least one, each once: " + inOrder);
    }
  }

  /** The ways over the link; empty when there is to be no link. */
  public List<Way> overLink() {
    List<Way> link = new ArrayList<>();
    for (Way way : inOrder) {
      if (way.isLink()) {
        link.add(way);
      }
    }
    return link;
  }

  /** Whether a server may be connected to past the gateway. */
  public boolean mayPassGateway() {
    for (Way way : inOrder) {
      if (!way.isLink()) {
        return true;
      }
    }
    return false;
  }

  /** The ways as written in the configuration. */
  @Override
  public String toString() {
    return inOrder.equals(AUTO.inOrder)
        ? "auto"
        : inOrder.stream().map(Way::text).collect(Collectors.joining("|"));
  }

  // Written out: equals and hashCode of records load java.lang.invoke at the start of a program.
  @Override
  public boolean equals(Object other) {
    return other instanceof Ways ways && inOrder.equals(ways.inOrder);
  }

  @Override
  public int hashCode() {
    return inOrder.hashCode();
  }
}
