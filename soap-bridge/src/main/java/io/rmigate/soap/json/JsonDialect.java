package io.rmigate.soap.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.StreamWriteConstraints;
import com.fasterxml.jackson.core.StreamWriteFeature;
import io.rmigate.soap.publish.Contract;

/**
 * JSON within certain bounds: what all contracts that are spoken so have in common. Thread-safe.
 */
public final class JsonDialect {
  private final JsonLimits limits;
  private final ArgumentReader arguments;
  private final JsonFactory factory;

  public JsonDialect(JsonLimits limits) {
    this.limits = limits;
    arguments = new ArgumentReader(limits);
    factory =
        new JsonFactoryBuilder()
            .streamWriteConstraints(
                // The writer's own bound says what it is about.
                StreamWriteConstraints.builder().maxNestingDepth(3 * limits.resultDepth()).build())
            .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
            .build();
  }

  /** Answers the calls of one contract; costs nothing to make. */
  public JsonFront front(Contract contract) {
    return new JsonFront(contract, this);
  }

  JsonLimits limits() {
    return limits;
  }

  ArgumentReader arguments() {
    return arguments;
  }

  JsonFactory factory() {
    return factory;
  }
}
