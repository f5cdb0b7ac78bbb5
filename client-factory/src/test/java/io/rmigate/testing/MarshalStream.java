package io.rmigate.testing;

import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamConstants;
import java.io.OutputStream;

/** What sun.rmi.server.MarshalOutputStream does to the bytes. */
public final class MarshalStream extends ObjectOutputStream {
  private final String codebase;

  /** Says no codebase. */
  public MarshalStream(OutputStream out) throws IOException {
    this(out, null);
  }

  /** Says that codebase of each class; null for none. */
  public MarshalStream(OutputStream out, String codebase) throws IOException {
    super(out);
    this.codebase = codebase;
    useProtocolVersion(ObjectStreamConstants.PROTOCOL_VERSION_1);
  }

  @Override
  protected void annotateClass(Class<?> type) throws IOException {
    writeObject(codebase);
  }

  @Override
  protected void annotateProxyClass(Class<?> type) throws IOException {
    writeObject(codebase);
  }
}
