package io.rmigate.soap.call;

import io.rmigate.soap.publish.Contract;
import io.rmigate.soap.publish.Operation;

/** What one principal may call. Asked before every call, and for what is shown of a contract. */
@FunctionalInterface
public interface CallPermission {
  boolean permits(Contract contract, Operation operation);
}
