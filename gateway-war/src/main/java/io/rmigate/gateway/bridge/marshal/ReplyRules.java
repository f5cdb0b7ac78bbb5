package io.rmigate.gateway.bridge.marshal;

/**
 * By what one answer is read.
 *
 * @param classes that it may hold, besides those of the JDK
 * @param allowance asked for what is larger than a few kilobytes
 * @param deadlineNanos on the clock of {@link System#nanoTime}; whatever is left to be read then is
 *     refused, however fast it came
 */
public record ReplyRules(
    AnswerClasses classes, ReplyLimits limits, Allowance allowance, long deadlineNanos) {}
