package io.rmigate.client.async;

/**
 * One call of a remote method that has a result, such as {@code shop -> shop.find(7)}.
 *
 * @param <T> the remote interface
 * @param <R> the result
 */
@FunctionalInterface
public interface RemoteFunction<T, R> {
  /**
   * Calls one method of the stub.
   *
   * @return what the method returned, unchanged
   * @throws Exception as the method declares it
   */
  R call(T stub) throws Exception;
}
