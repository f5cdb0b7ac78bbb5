package io.rmigate.soap.call;

import io.rmigate.soap.publish.Contract;
import io.rmigate.soap.publish.Operation;

/**
 * The operations that one principal may call. Asked before every call and before a contract is
 * shown.
 */
@FunctionalInterface
public interface CallPermission {
  boolean permits(Contract contract, Operation operation);
}
