package io.rmigate.client.async;

/**
 * One call of a remote method without a result, such as {@code shop -> shop.remove(7)}.
 *
 * @param <T> the remote interface
 */
@FunctionalInterface
public interface RemoteAction<T> {
  /**
   * Calls one method of the stub.
   *
   * @throws Exception as the method declares it
   */
  void call(T stub) throws Exception;
}
