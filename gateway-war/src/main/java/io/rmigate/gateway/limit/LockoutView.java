package io.rmigate.gateway.limit;

import java.time.Instant;
import java.util.List;

/**
 * A caller that is locked out: each of its calls is refused.
 *
 * @param id by which an administrator ends it
 * @param principal with its address if it has not logged in
 * @param refused the things it had tried
 */
public record LockoutView(
    String id, String principal, Instant since, Instant until, List<String> refused) {}
