package io.rmigate.gateway.scan.shape;

import java.util.Set;

/**
 * Known facts about the arguments of a method.
 *
 * @param object whether its receiver is the object that is being read, so that only the class of
 *     this object overrides the methods that it calls on itself
 * @param locals which local variables are the stream when it begins
 * @param asArgument whether the stream is one of its arguments, and not only its receiver
 */
record KnownArguments(boolean object, Set<Integer> locals, boolean asArgument) {
  /** Arguments of which only the types are known. */
  static final KnownArguments NOTHING = new KnownArguments(false, Set.of(), false);

  /** Arguments of {@code readObject} and {@code readExternal}. */
  static final KnownArguments TO_READER = new KnownArguments(true, Set.of(1), true);
}
