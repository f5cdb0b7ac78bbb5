package io.rmigate.gateway.bridge.marshal;

/**
 * The rules for reading one reply.
 *
 * @param classes that the reply may contain, besides classes of the JDK
 * @param allowance memory for replies larger than a few kilobytes
 * @param deadlineNanos on the clock of {@link System#nanoTime}; bytes not read by then are refused
 */
public record ReplyRules(
    AnswerClasses classes, ReplyLimits limits, Allowance allowance, long deadlineNanos) {}
