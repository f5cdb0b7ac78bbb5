package io.rmigate.client.mediator;

/** A Call of the application that the mediator may answer in the place of its server. */
public sealed interface MediatedCall permits LookupCall, LeaseCall {
  /** Ends the wait for the answer. From any thread. */
  void close();
}
