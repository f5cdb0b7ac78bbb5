package io.rmigate.soap.call;

import java.lang.reflect.Method;

/**
 * A remote object as one principal reaches it: a published one, or one that is held by a handle.
 * May be called by any thread.
 */
@FunctionalInterface
public interface RemoteObject {

  /**
   * Calls a method, at most once, and blocks until there is an answer.
   *
   * @param method of the published interface, in the publication's loader
   * @param arguments instances of that loader's classes; remote ones are what {@link
   *     RemoteReferences#resolve} gave
   * @return the result, unmarshalled in the same loader; null for void
   */
  Object call(Method method, Object[] arguments) throws CallFailure;
}
