package io.rmigate.gateway.login;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import io.rmigate.protocol.AddressOwner;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts wrong passwords of the last minute in three ways, and makes further attempts wait until it
 * is over, even with the right password:
 *
 * <ul>
 *   <li>a name at one address, after {@link #OF_NAME_AND_ADDRESS};
 *   <li>an address, for any names, after {@link #OF_ADDRESS}: one password for many names;
 *   <li>a name, from any address, after {@link #OF_NAME}: many addresses for one name. It has one
 *       attempt a minute left at each address, so that no user is locked out from elsewhere.
 * </ul>
 *
 * <p>The latter two are not for a name at an address from which it has lately logged in: guessing
 * elsewhere, or by others behind the same address, does not concern it there. Such an address is
 * verified for that name. At a verified address {@link BasicLogin} compares a password with its
 * remembered ones before it asks {@link #allows}, so that neighbours do not lock the user out.
 * Because each comparison tests a guess, {@link #OF_VERIFIED} passwords a minute may fail it.
 *
 * <p>Attempts while locked count towards the limit of the address. Of one address at most {@link
 * #OF_NAME_AND_ADDRESS} a minute count towards the limit of a name, so that one address alone does
 * not reach it. Names that do not exist are counted alike. An address of IPv6 counts as its
 * network. Bounded: of each kind the latest are kept. Thread-safe.
 */
final class GuessBrake {
  static final int OF_NAME_AND_ADDRESS = 10;
  static final int OF_ADDRESS = 50;
  static final int OF_NAME = 100;

  /** Passwords a minute, of one name at a verified address, that are no remembered one. */
  static final int OF_VERIFIED = 100;

  private static final Duration WINDOW = Duration.ofMinutes(1);
  private static final Duration KNOWN = Duration.ofDays(1);
  private static final int MAX_COUNTED = 100_000;

  private record Guesser(String name, String address) {}

  private final Cache<Guesser, AtomicInteger> byBoth;
  private final Cache<String, AtomicInteger> byAddress;
  private final Cache<String, AtomicInteger> byName;
  private final Cache<Guesser, AtomicInteger> notRemembered;
  private final Cache<Guesser, Boolean> known;

  GuessBrake(Ticker ticker) {
    byBoth = counted(ticker);
    byAddress = counted(ticker);
    byName = counted(ticker);
    notRemembered = counted(ticker);
    known =
        Caffeine.newBuilder()
            .ticker(ticker)
            .expireAfterWrite(KNOWN)
            .maximumSize(MAX_COUNTED)
            .build();
  }

  private static <K> Cache<K, AtomicInteger> counted(Ticker ticker) {
    return Caffeine.newBuilder()
        .ticker(ticker)
        .expireAfterWrite(WINDOW) // the first wrong one begins it; counting does not prolong it
        .maximumSize(MAX_COUNTED)
        .build();
  }

  /** Whether a password of that name may be looked at, coming from there. */
  boolean allows(String name, String address) {
    Guesser guesser = guesser(name, address);
    int own = count(byBoth, guesser);
    if (own >= OF_NAME_AND_ADDRESS) {
      return false;
    }
    if (known.getIfPresent(guesser) != null) {
      return true;
    }
    return count(byAddress, guesser.address()) < OF_ADDRESS
        && (own == 0 || count(byName, name) < OF_NAME);
  }

  /** Whether a password of that name, coming from there, may be compared with remembered ones. */
  boolean allowsRemembered(String name, String address) {
    Guesser guesser = guesser(name, address);
    return known.getIfPresent(guesser) != null && count(notRemembered, guesser) < OF_VERIFIED;
  }

  /** The password is none of the remembered ones. It may be right all the same. */
  void notRemembered(String name, String address) {
    add(notRemembered, guesser(name, address));
  }

  /** The password is wrong, or was not judged because {@link #allows} said no. */
  void wrong(String name, String address) {
    Guesser guesser = guesser(name, address);
    add(byAddress, guesser.address());
    if (add(byBoth, guesser) <= OF_NAME_AND_ADDRESS) {
      add(byName, name);
    }
  }

  /** The password is right: the address is verified for this name. */
  void right(String name, String address) {
    Guesser guesser = guesser(name, address);
    known.put(guesser, true);
    notRemembered.invalidate(guesser);
  }

  private static Guesser guesser(String name, String address) {
    return new Guesser(name, owner(address));
  }

  /**
   * The owner that an address counts as. What servlet containers give is one and never a name:
   * nothing is looked up.
   */
  static String owner(String address) {
    if (address.indexOf(':') < 0) {
      return address;
    }
    try {
      return AddressOwner.of(InetAddress.getByName(address)).toString();
    } catch (UnknownHostException e) {
      return address;
    }
  }

  private static <K> int count(Cache<K, AtomicInteger> counts, K key) {
    AtomicInteger count = counts.getIfPresent(key);
    return count == null ? 0 : count.get();
  }

  private static <K> int add(Cache<K, AtomicInteger> counts, K key) {
    return counts.get(key, first -> new AtomicInteger()).incrementAndGet();
  }
}
