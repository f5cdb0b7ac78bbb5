package io.rmigate.gateway.login;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts wrong passwords per name and address. After ten within a minute even the right one is
 * refused until the minute is over. The address is part of it, so that guessing elsewhere locks
 * nobody out. Names that do not exist are counted alike. Thread-safe.
 */
final class GuessBrake {
  private static final int TOLERATED = 10;

  private record Guesser(String name, String address) {}

  private final Cache<Guesser, AtomicInteger> wrong =
      Caffeine.newBuilder().expireAfterWrite(Duration.ofMinutes(1)).maximumSize(100_000).build();

  boolean allows(String name, String address) {
    AtomicInteger count = wrong.getIfPresent(new Guesser(name, address));
    return count == null || count.get() < TOLERATED;
  }

  void wrong(String name, String address) {
    wrong.get(new Guesser(name, address), first -> new AtomicInteger()).incrementAndGet();
  }
}
