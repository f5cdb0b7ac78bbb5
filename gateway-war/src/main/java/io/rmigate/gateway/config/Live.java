package io.rmigate.gateway.config;

import io.rmigate.gateway.problem.ConfigException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * A setting, or a part made of settings, that each reload of the configuration replaces. {@link
 * ConfigWatcher#live} makes it. Thread-safe; reading it is one volatile read.
 */
public final class Live<T> implements Supplier<T> {
  /** Makes the value that belongs to a configuration. */
  @FunctionalInterface
  public interface Source<T> {
    /**
     * Makes the value without using it yet.
     *
     * @throws ConfigException if this configuration cannot be used
     */
    T make(GatewayConfig config) throws ConfigException;
  }

  private final List<BiConsumer<? super T, ? super T>> readers = new CopyOnWriteArrayList<>();
  private volatile T current;

  Live(T initial) {
    current = initial;
  }

  /** The value in force. */
  @Override
  public T get() {
    return current;
  }

  /**
   * Adds a reader of changes. It gets the value in force and the next one just before the next one
   * is in force, on the thread of the reload, and must not fail.
   */
  public Live<T> onChange(BiConsumer<? super T, ? super T> reader) {
    readers.add(reader);
    return this;
  }

  void replace(T next) {
    T before = current;
    readers.forEach(reader -> reader.accept(before, next));
    current = next;
  }
}
