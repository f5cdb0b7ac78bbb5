package io.rmigate.gateway.boxes;

import java.io.IOException;
import java.util.Optional;

/** Something that stands between clients and a gateway, of which any number can be started. */
interface Box {
  /** What it is called in the table. */
  String title();

  /** What of it is not on this machine; empty when all is. */
  Optional<Installed> missing();

  /** What of that and of what it needs in a mode is not on this machine; empty when all is. */
  default Optional<Installed> missing(Mode mode) {
    return missing();
  }

  /** Why it has no such mode; empty when it has. */
  Optional<String> lacks(Mode mode);

  /** Starts one, and returns when it listens. */
  StandingBox start(Mode mode, BoxBed bed) throws IOException, InterruptedException;
}
