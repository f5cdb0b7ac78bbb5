package io.rmigate.gateway.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.rmigate.gateway.bridge.BridgeMeters;
import io.rmigate.gateway.services.ServiceMeters;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** The part of {@link GatewayMetrics} that web services count. */
public final class ServiceMetrics implements ServiceMeters, BridgeMeters {
  private final MeterRegistry registry;
  private final MeterFactory meters;
  private final Consumer<String> refusals;
  private final LongAdder bridgeLookups;
  private final LongAdder bridgeReferences = new LongAdder();
  private final Map<ServiceCall, Timer> serviceCalls = new ConcurrentHashMap<>();
  private final Map<String, Timer> bridgeCalls = new ConcurrentHashMap<>();

  /** The labels of a call. Their values come from the configuration. */
  private record ServiceCall(String path, String contract, String operation, int status) {}

  /**
   * @param refusals counts a refusal by its reason
   */
  ServiceMetrics(MeterRegistry registry, MeterFactory meters, Consumer<String> refusals) {
    this.registry = registry;
    this.meters = meters;
    this.refusals = refusals;
    bridgeLookups =
        meters.counter(
            "rmigate.bridge.lookups", "Lookups in registries for web-service clients", null);
    meters.gauge(
        "rmigate.bridge.references", "Objects held for web-service clients", bridgeReferences::sum);
  }

  /** Registers the gauge of handles; {@code held} is read at each scrape. */
  public void watchHandles(LongSupplier held) {
    meters.gauge("rmigate.services.handles", "Handles of web-service clients", held);
  }

  @Override
  public void serviceCall(String path, String contract, String operation, int status, long nanos) {
    serviceCalls
        .computeIfAbsent(
            new ServiceCall(path, contract, operation, status),
            call ->
                Timer.builder("rmigate.services.calls")
                    .description("Calls of web-service clients, answered")
                    .tag("path", call.path())
                    .tag("operation", call.contract() + "." + call.operation())
                    .tag("status", Integer.toString(call.status()))
                    .register(registry))
        .record(nanos, TimeUnit.NANOSECONDS);
  }

  @Override
  public void refused(String reason) {
    refusals.accept(reason);
  }

  @Override
  public void bridgeCall(String outcome, long nanos) {
    bridgeCalls
        .computeIfAbsent(
            outcome,
            added ->
                Timer.builder("rmigate.bridge.calls")
                    .description("Calls to servers for web-service clients")
                    .tag("outcome", added)
                    .register(registry))
        .record(nanos, TimeUnit.NANOSECONDS);
  }

  @Override
  public void bridgeLookup() {
    bridgeLookups.increment();
  }

  @Override
  public void bridgeReferences(int change) {
    bridgeReferences.add(change);
  }
}
