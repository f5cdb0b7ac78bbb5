package io.rmigate.gateway.bridge;

import io.rmigate.protocol.tunnel.RegistryName;
import io.rmigate.soap.call.RemoteObject;
import java.util.Optional;

/**
 * What one principal does with one publication. Remote references that its calls return are held
 * until it is closed, and no longer unless they are kept. May be used by any thread; its calls
 * block, up to the visit's deadline each.
 */
public interface BridgeVisit extends AutoCloseable {

  /**
   * A remote object by its name in a registry. The name is looked up by the first call, and again
   * by later ones when the object is not there any more, or when a while has passed.
   */
  RemoteObject named(RegistryName name);

  /**
   * The remote object behind a reference that an earlier visit of the same principal has kept.
   *
   * @throws IllegalArgumentException it is another principal's
   */
  RemoteObject referenced(HeldReference reference);

  /**
   * A held reference as an argument for calls of this visit.
   *
   * @param type the remote interface that it must implement, of the publication's loader
   * @return empty if it does not
   * @throws IllegalArgumentException it is another principal's
   */
  Optional<Object> argument(HeldReference reference, Class<?> type);

  /**
   * Keeps a reference beyond the end of the visit, until it is closed.
   *
   * @param reference an object that a call of this visit has returned, or {@link #argument} has
   *     given, anywhere in its result
   * @return a hold of its own
   * @throws IllegalArgumentException it is none of those
   */
  HeldReference keep(Object reference);

  /** Releases all references that were not kept. Idempotent; never blocks. */
  @Override
  void close();
}
