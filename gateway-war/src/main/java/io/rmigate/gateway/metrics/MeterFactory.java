package io.rmigate.gateway.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Registers meters. Counting is a {@link LongAdder}, which Micrometer reads at each scrape.
 * Thread-safe.
 */
final class MeterFactory {
  /** Far above each closed set of labels: a mistake must not make a time series per client. */
  private static final int MAX_LABEL_VALUES = 64;

  private final MeterRegistry registry;

  MeterFactory(MeterRegistry registry) {
    this.registry = registry;
  }

  void gauge(String name, String description, LongSupplier value) {
    Gauge.builder(name, value::getAsLong).description(description).register(registry);
  }

  /**
   * @param unit null: it counts events
   */
  LongAdder counter(String name, String description, String unit) {
    LongAdder counter = new LongAdder();
    FunctionCounter.builder(name, counter, LongAdder::doubleValue)
        .description(description)
        .baseUnit(unit)
        .register(registry);
    return counter;
  }

  LabelledCounter labelled(String name, String description, String tag) {
    return new LabelledCounter(name, description, tag);
  }

  /** Counters of one name, one for each value of a label. */
  final class LabelledCounter {
    private final String name;
    private final String description;
    private final String tag;
    private final Map<String, LongAdder> counters = new ConcurrentHashMap<>();

    private LabelledCounter(String name, String description, String tag) {
      this.name = name;
      this.description = description;
      this.tag = tag;
    }

    void increment(String value) {
      LongAdder counter = counters.get(value);
      if (counter == null) {
        String bounded = counters.size() < MAX_LABEL_VALUES ? value : "other";
        counter = counters.computeIfAbsent(bounded, this::register);
      }
      counter.increment();
    }

    private LongAdder register(String value) {
      LongAdder counter = new LongAdder();
      FunctionCounter.builder(name, counter, LongAdder::doubleValue)
          .description(description)
          .tag(tag, value)
          .register(registry);
      return counter;
    }

    /** The count of each value. */
    Map<String, LongAdder> counters() {
      return counters;
    }
  }
}
