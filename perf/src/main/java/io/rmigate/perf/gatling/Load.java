package io.rmigate.perf.gatling;

import java.time.Duration;
import java.util.List;

/**
 * The users of one way.
 *
 * @param levels the levels, one after the other
 * @param duration of each level
 * @param warmUp before the first level
 */
public record Load(List<Level> levels, Duration duration, Duration warmUp) {}
