package io.rmigate.protocol.jrmp.message;

import java.util.Optional;

/**
 * The operations of {@link java.rmi.registry.Registry}, in both forms in which a Call may name
 * them: by operation number together with the interface hash (what stock stubs send), or by
 * operation −1 and the method hash. Servers since JDK 9 accept either, so a filter must know both.
 */
public enum RegistryOperation {
  BIND(0, 7583982177005850366L),
  LIST(1, 2571371476350237748L),
  LOOKUP(2, -7538657168040752697L),
  REBIND(3, -8381844669958460146L),
  UNBIND(4, 7305022919901907578L);

  /** Accompanies the operation numbers. */
  public static final long INTERFACE_HASH = 4905912898345647071L;

  private final int number;
  private final long methodHash;

  RegistryOperation(int number, long methodHash) {
    this.number = number;
    this.methodHash = methodHash;
  }

  /** The number of the stub protocol of JDK 1.1, which the registry's stub still speaks. */
  public int number() {
    return number;
  }

  /** The hash of the method's name and descriptor (RMI specification, section 8.3). */
  public long methodHash() {
    return methodHash;
  }

  /** Whether it binds or unbinds a name. */
  public boolean changesBindings() {
    return this == BIND || this == REBIND || this == UNBIND;
  }

  /**
   * The registry operation that a Call to ObjID 0 with this operation and hash invokes; empty when
   * it is none of them. A number is believed without its interface hash: a server may be lax.
   */
  public static Optional<RegistryOperation> of(int operation, long hash) {
    for (RegistryOperation candidate : values()) {
      if (operation >= 0 ? operation == candidate.number : hash == candidate.methodHash) {
        return Optional.of(candidate);
      }
    }
    return Optional.empty();
  }
}
