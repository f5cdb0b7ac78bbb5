package io.rmigate.client.config;

import java.util.EnumSet;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The ways that may be taken, the one that is liked best first: the ladder.
 *
 * @param inOrder at least one, each once
 */
public record Ways(List<Way> inOrder) {
  /** Over the link only: what is to be tunnelled never goes past the gateway. */
  public static final Ways LINK = new Ways(List.of(Way.WEBSOCKET, Way.POST));

  /** All. */
  public static final Ways AUTO = new Ways(List.of(Way.values()));

  public Ways {
    inOrder = List.copyOf(inOrder);
    if (inOrder.isEmpty() || EnumSet.copyOf(inOrder).size() < inOrder.size()) {
      throw new IllegalArgumentException("at least one, each once: " + inOrder);
    }
  }

  /** Those over the link; empty when there is to be none. */
  public List<Way> overLink() {
    return inOrder.stream().filter(Way::isLink).toList();
  }

  /** Whether a server may be connected to past the gateway. */
  public boolean mayPassGateway() {
    return inOrder.stream().anyMatch(way -> !way.isLink());
  }

  /** As written in the configuration. */
  @Override
  public String toString() {
    return equals(AUTO) ? "auto" : inOrder.stream().map(Way::text).collect(Collectors.joining("|"));
  }
}
