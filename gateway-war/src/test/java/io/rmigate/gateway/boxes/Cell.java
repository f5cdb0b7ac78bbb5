package io.rmigate.gateway.boxes;

import io.rmigate.gateway.boxes.Outcome.Verdict;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** A box in one of its modes. */
record Cell(Box box, Mode mode) {

  /** Starts the box, and sends a client through it; returns the outcome, also of a failure. */
  Outcome pass(BoxBed bed, Duration idle) throws InterruptedException {
    Journey journey = new Journey(box.title(), mode.toString(), mode.rung(), mode.beatsRarely());
    Optional<String> lacking = box.lacks(mode);
    if (lacking.isPresent()) {
      return journey.notMade(Verdict.NO_SUCH_MODE, lacking.get());
    }
    Optional<Installed> missing = box.missing(mode);
    if (missing.isPresent()) {
      return journey.notMade(missing.get());
    }
    try (StandingBox standing = box.start(mode, bed);
        Traveller client = bed.client(standing.arguments())) {
      return journey.make(client, idle, standing::logs);
    } catch (IOException | AssertionError | RuntimeException failed) {
      return journey.notMade(Verdict.FAILED, failed.toString());
    }
  }

  @Override
  public String toString() {
    return box.title() + ": " + mode;
  }
}
