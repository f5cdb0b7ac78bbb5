package io.rmigate.java8;

import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Additions to {@link Optional}. */
public final class LaterOptional {
  private LaterOptional() {}

  public static <T> void ifPresentOrElse(
      Optional<T> optional, Consumer<? super T> action, Runnable otherwise) {
    if (optional.isPresent()) {
      action.accept(optional.get());
    } else {
      otherwise.run();
    }
  }

  public static boolean isEmpty(Optional<?> optional) {
    return !optional.isPresent();
  }

  @SuppressWarnings("unchecked")
  public static <T> Optional<T> or(
      Optional<T> optional, Supplier<? extends Optional<? extends T>> other) {
    return optional.isPresent() ? optional : (Optional<T>) Objects.requireNonNull(other.get());
  }

  public static <T> T orElseThrow(Optional<T> optional) {
    return optional.get();
  }

  public static <T> Stream<T> stream(Optional<T> optional) {
    return optional.isPresent() ? Stream.of(optional.get()) : Stream.empty();
  }
}
