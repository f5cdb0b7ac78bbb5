package io.rmigate.client.callback;

/**
 * Is told when inner JVMs do not reach exported objects any more, and when they do again. Called by
 * threads of rmigate; must return soon.
 */
public interface CallbackObserver {

  /** Wants to know nothing. */
  CallbackObserver NONE =
      new CallbackObserver() {
        @Override
        public void portLost(int port, String reason) {}

        @Override
        public void portFound(int port) {}
      };

  /**
   * After the end of a session the gateway in use does not listen for this JVM at a port that its
   * stubs name. It is asked again now and then.
   *
   * @param reason for people
   */
  void portLost(int port, String reason);

  /** The gateway listens at {@code port} for this JVM again. */
  void portFound(int port);
}
