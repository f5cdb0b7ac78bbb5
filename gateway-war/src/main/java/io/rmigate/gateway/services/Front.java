package io.rmigate.gateway.services;

import java.io.IOException;
import java.util.Optional;
import java.util.Set;

/** Speaks one kind of web service. Called by threads of the container, concurrently. */
public interface Front {

  /**
   * Whether a POST with this content is for it.
   *
   * @param mediaType in lower case, without parameters; empty if there is none
   * @param named whether the address ends with an operation, which the body then does not name
   */
  boolean takes(String mediaType, boolean named);

  /**
   * Answers a call.
   *
   * @throws IOException the client is gone, or the answer failed after its head was sent
   */
  void call(ServiceRequest request) throws IOException;

  /** The words with which queries begin that ask for its description, such as {@code wsdl}. */
  Set<String> descriptionQueries();

  /** The last part of an address by which they do, such as {@code openapi.json}. */
  Optional<String> descriptionName();

  /** Answers with the description of what is published, as far as it is for the principal. */
  void describe(ServiceRequest request) throws IOException;
}
