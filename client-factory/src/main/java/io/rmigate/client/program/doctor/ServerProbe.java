package io.rmigate.client.program.doctor;

import io.rmigate.client.config.Way;
import io.rmigate.protocol.jrmp.message.StubView;
import io.rmigate.protocol.jrmp.message.ThrownView;
import java.util.List;
import java.util.Optional;

/**
 * What was found at the end of a way: the registry, and the object that its stub leads to.
 *
 * @param registry whether the registry has answered; empty if none was asked
 * @param names what is bound there, if that was asked for
 * @param stub what the name is bound to
 * @param thrown what the registry has answered instead
 * @param object whether the exporting JVM has answered; empty if it was not asked
 */
record ServerProbe(
    Way way,
    Optional<Step> registry,
    List<String> names,
    Optional<StubView> stub,
    Optional<ThrownView> thrown,
    Optional<Step> object) {

  ServerProbe {
    names = List.copyOf(names);
  }

  /**
   * One thing that was tried.
   *
   * @param obstacle what stopped it; empty when there was an answer
   * @param words what happened
   */
  record Step(Optional<Obstacle> obstacle, String words) {
    static Step done(String words) {
      return new Step(Optional.empty(), words);
    }

    static Step failed(Obstacle obstacle, String words) {
      return new Step(Optional.of(obstacle), words);
    }

    boolean isDone() {
      return obstacle.isEmpty();
    }
  }

  /**
   * Whether the object is reached once the client's sockets are carried there, and the gateway
   * permits that.
   */
  boolean isHelpedBySockets() {
    return object()
        .flatMap(Step::obstacle)
        .filter(obstacle -> obstacle == Obstacle.NEEDS_SOCKETS || obstacle == Obstacle.POLICY_RAW)
        .isPresent();
  }

  /**
   * Whether this way leads to the registry and to the object, as far as they were asked. What the
   * registry makes of the question is another matter.
   */
  boolean leadsThere() {
    return registry.map(Step::isDone).orElse(true) && object.map(Step::isDone).orElse(true);
  }
}
