package io.rmigate.gateway.boxes;

import java.io.IOException;
import java.util.Optional;

/** Something that stands between clients and a gateway, of which any number can be started. */
interface Box {
  /** What it is called in the table. */
  String title();

  /** Why it cannot be started here; empty when it can. */
  Optional<String> missing();

  /** Why it has no such mode; empty when it has. */
  Optional<String> lacks(Mode mode);

  /** Starts one, and returns when it listens. */
  StandingBox start(Mode mode, BoxBed bed) throws IOException, InterruptedException;
}
