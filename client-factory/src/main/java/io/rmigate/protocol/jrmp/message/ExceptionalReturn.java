package io.rmigate.protocol.jrmp.message;

import io.rmigate.protocol.jrmp.BigEndian;
import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.jrmp.ModifiedUtf8;
import io.rmigate.protocol.jrmp.StreamTokens;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamConstants;
import java.io.OutputStream;
import java.rmi.RemoteException;
import java.rmi.ServerException;
import java.rmi.UnmarshalException;
import java.util.Optional;

/**
 * Makes a Return that carries an exception, for a Call that never reached its server or whose
 * result is lost. The caller gets exactly that exception, not wrapped (a {@link
 * java.rmi.ConnectException} is what callers take for "certainly not executed").
 *
 * <p>Only exception classes of {@code java.base} and {@code java.rmi} are fit: the filter of the
 * DGC client refuses others, and the caller may not have ours.
 */
public final class ExceptionalReturn {

  /**
   * The whole message, {@code 51} included, with a UID of zeros: it holds no reference, so that no
   * client acknowledges it. The stack trace goes along as it is; the client's JDK appends its own.
   *
   * @throws IllegalArgumentException when the exception cannot be serialized
   */
  public static byte[] encode(Throwable exception) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
    bytes.write(Jrmp.RETURN);
    try (ObjectOutputStream out = new WithoutCodebase(bytes)) {
      out.writeByte(Jrmp.EXCEPTIONAL_RETURN);
      out.write(new byte[Jrmp.UID_BYTES]);
      out.writeObject(exception);
    } catch (IOException e) {
      throw new IllegalArgumentException("not serializable: " + exception.getClass(), e);
    }
    return bytes.toByteArray();
  }

  /**
   * The Return for a Call that its server has executed, or may have, and whose result will not
   * come: an {@link UnmarshalException} without a cause and without a stack trace. Callers take no
   * such exception for a failed connect, after which they would repeat the call.
   *
   * @param text says whether the call was executed
   */
  public static byte[] ofLostResult(String text) {
    return withoutTrace(new UnmarshalException(text));
  }

  /**
   * The Return for a Call whose server has thrown an exception that may not pass: a {@link
   * ServerException} without a cause and without a stack trace.
   *
   * @param text says which exception
   */
  public static byte[] ofRefusedException(String text) {
    return withoutTrace(new ServerException(text));
  }

  private static byte[] withoutTrace(RemoteException exception) {
    exception.setStackTrace(new StackTraceElement[0]);
    return encode(exception);
  }

  /**
   * The class of the exception that a Return carries, by the beginning of the Return.
   *
   * @return empty when this is no exceptional Return, or the range ends before the name does
   */
  public static Optional<String> exceptionClass(byte[] b, int off, int len) {
    ReturnHeader header = ReturnHeader.decode(b, off, len).orElse(null);
    if (header == null || !header.exceptional()) {
      return Optional.empty();
    }
    int at = header.end();
    int limit = off + len;
    if (limit - at < 4
        || b[at] != StreamTokens.TC_OBJECT
        || b[at + 1] != StreamTokens.TC_CLASSDESC) {
      return Optional.empty();
    }
    int length = BigEndian.unsignedShort(b, at + 2);
    return limit - at - 4 < length
        ? Optional.empty()
        : Optional.of(ModifiedUtf8.decode(b, at + 4, length));
  }

  /** Protocol version 1, and null for each class's codebase: the form of the JDK's own stream. */
  private static final class WithoutCodebase extends ObjectOutputStream {
    WithoutCodebase(OutputStream out) throws IOException {
      super(out);
      useProtocolVersion(ObjectStreamConstants.PROTOCOL_VERSION_1);
    }

    @Override
    protected void annotateClass(Class<?> type) throws IOException {
      writeObject(null);
    }

    @Override
    protected void annotateProxyClass(Class<?> type) throws IOException {
      writeObject(null);
    }
  }

  private ExceptionalReturn() {}
}
