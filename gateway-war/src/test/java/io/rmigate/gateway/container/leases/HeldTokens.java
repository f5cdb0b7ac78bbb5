package io.rmigate.gateway.container.leases;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Who holds which token, by the model: an object lives from when the first takes it until the last
 * has dropped it. Objects are called as {@link Token#name} says, tokens by what stands before the
 * number. Confined to the test's thread.
 */
final class HeldTokens {
  private final Map<String, Map<String, String>> objects = new HashMap<>();
  private final Map<String, Integer> emptied = new HashMap<>();
  private final Map<String, Integer> uncertain = new HashMap<>();

  /** Tokens and their objects; a copy. */
  Map<String, String> of(String holder) {
    return new TreeMap<>(objects.getOrDefault(holder, Map.of()));
  }

  /** The holder has the token now. While another one has it too, it must be the same object. */
  void take(String holder, String token, String object) {
    assertThat(objects.values().stream().map(held -> held.getOrDefault(token, object)))
        .as("objects of %s", token)
        .allMatch(object::equals);
    objects.computeIfAbsent(holder, any -> new HashMap<>()).put(token, object);
  }

  void drop(String holder, String token) {
    String object = objects.get(holder).remove(token);
    if (objects.values().stream().noneMatch(held -> object.equals(held.get(token)))) {
      emptied.merge(object, 1, Integer::sum);
    }
  }

  void dropAll(String holder) {
    of(holder).keySet().forEach(token -> drop(holder, token));
  }

  /** A client may have had the token for a moment: its attempt failed at an unknown point. */
  void perhaps(String token) {
    uncertain.merge(token, 1, Integer::sum);
  }

  /** How often a server may have been told that an object is unreferenced. */
  int mayBeUnreferenced(String object) {
    String token = object.substring(0, object.indexOf('#'));
    return emptied.getOrDefault(object, 0) + uncertain.getOrDefault(token, 0);
  }

  /** Fails if a server was told that an object is unreferenced while a client held it. */
  void check(Map<String, Integer> unreferenced) {
    objects.values().stream()
        .map(Map::values)
        .flatMap(Collection::stream)
        .distinct()
        .forEach(
            object ->
                assertThat(unreferenced.getOrDefault(object, 0))
                    .as("how often %s, which is held, has been unreferenced", object)
                    .isLessThanOrEqualTo(mayBeUnreferenced(object)));
  }
}
