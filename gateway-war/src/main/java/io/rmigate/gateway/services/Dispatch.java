package io.rmigate.gateway.services;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Which front a request is for. The first that takes it has it. Immutable. */
final class Dispatch {
  private final List<Front> fronts;

  Dispatch(List<Front> fronts) {
    this.fronts = List.copyOf(fronts);
  }

  /** For a call. */
  Optional<Front> forCall(String contentType, boolean named) {
    String mediaType = contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
    return fronts.stream().filter(front -> front.takes(mediaType, named)).findFirst();
  }

  /** For a description: by the last part of an address (empty: the object's), and a query. */
  Optional<Front> forDescription(String name, String query) {
    return fronts.stream()
        .filter(
            front ->
                name.isEmpty()
                    ? front.descriptionQueries().stream().anyMatch(asked -> asks(query, asked))
                    : front.descriptionName().filter(name::equals).isPresent())
        .findFirst();
  }

  /** {@code ?wsdl}, {@code ?WSDL}, {@code ?xsd=1}. */
  private static boolean asks(String query, String word) {
    String first = query.split("[&=]", 2)[0];
    return first.equalsIgnoreCase(word);
  }

  /** Whether some front describes itself so. */
  boolean answersQuery(String query) {
    return forDescription("", query).isPresent();
  }
}
