package io.rmigate.soap.call;

import java.time.Instant;
import java.util.Optional;

/**
 * Remote references that are held for one principal, by handles that cannot be guessed. May be
 * called by any thread.
 */
public interface RemoteReferences {

  /**
   * A reference as its client sees it.
   *
   * @param href the absolute URL at which it can be called
   * @param expires when it is let go unless it is renewed
   */
  record Handle(String href, Instant expires) {}

  /**
   * Takes charge of a reference that a call returned, until its handle expires or is released.
   *
   * @param type the remote interface it was declared as
   * @throws CallFailure {@link CallFailure.Kind#TOO_MANY}
   */
  Handle hold(Object reference, Class<?> type) throws CallFailure;

  /**
   * Lets go of what was {@linkplain #hold held} so far: the answer with the handles failed on its
   * way to the client.
   */
  void withdraw();

  /**
   * The reference behind a handle, to be an argument.
   *
   * @param type the remote interface that the result must implement
   * @return empty if there is none of that type for this principal
   */
  Optional<Object> resolve(String href, Class<?> type);

  /**
   * Puts off the expiry of a handle.
   *
   * @return empty if there is none of that address for this principal
   */
  Optional<Handle> renew(String href);

  /**
   * Lets go of a reference; its handle is none any more.
   *
   * @return whether there was one of that address for this principal
   */
  boolean release(String href);
}
