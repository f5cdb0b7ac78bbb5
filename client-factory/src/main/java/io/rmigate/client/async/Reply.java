package io.rmigate.client.async;

import io.rmigate.protocol.jrmp.Jrmp;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.rmi.RemoteException;
import java.rmi.UnexpectedException;
import java.rmi.UnmarshalException;
import java.rmi.server.UID;

/**
 * A Return that has been unmarshalled: the result, or the exception that the caller gets, as the
 * RMI runtime would have thrown it.
 *
 * @param value of a normal Return; null when there is none
 * @param failure of an exceptional Return; null when it is normal
 * @param acknowledge what the DgcAck has to name; null when none is due
 */
record Reply(Object value, Exception failure, UID acknowledge) {

  /** Reads the Return of a call. */
  static final class Reader {
    private final InputStream in;
    private final PreparedCall call;
    private boolean begun;

    Reader(InputStream in, PreparedCall call) {
      this.in = in;
      this.call = call;
    }

    /** Whether the server has begun to answer. */
    boolean hasBegun() {
      return begun;
    }

    /**
     * Reads the Return to its end. The context class loader must be the caller's.
     *
     * @param onBegin run when the header has been read
     * @throws UnmarshalException it does not come, or cannot be unmarshalled
     */
    Reply read(Runnable onBegin) throws UnmarshalException {
      ReplyInput objects;
      int kind;
      UID acknowledge;
      try {
        int code = in.read();
        if (code < 0) {
          throw new EOFException();
        }
        if (code != Jrmp.RETURN) {
          throw new UnmarshalException("Transport return code invalid");
        }
        objects = new ReplyInput(in, call.target().loader());
        kind = objects.readByte();
        acknowledge = UID.read(objects);
      } catch (UnmarshalException invalid) {
        throw invalid;
      } catch (IOException | RuntimeException failed) {
        throw new UnmarshalException("Error unmarshaling return header", asException(failed));
      }
      begun = true;
      onBegin.run();
      return switch (kind) {
        case Jrmp.NORMAL_RETURN -> value(objects, acknowledge);
        case Jrmp.EXCEPTIONAL_RETURN -> failure(objects);
        default -> throw new UnmarshalException("Return code invalid");
      };
    }

    private Reply value(ReplyInput objects, UID acknowledge) throws UnmarshalException {
      try {
        Object value = objects.read(call.method().getReturnType());
        return new Reply(value, null, objects.holdsReferences() ? acknowledge : null);
      } catch (IOException | ClassNotFoundException | RuntimeException | LinkageError failed) {
        throw new UnmarshalException("error unmarshalling return", asException(failed));
      }
    }

    private Reply failure(ReplyInput objects) throws UnmarshalException {
      Object thrown;
      try {
        thrown = objects.readObject();
      } catch (IOException | ClassNotFoundException | RuntimeException | LinkageError failed) {
        throw new UnmarshalException("Error unmarshaling return", asException(failed));
      }
      if (!(thrown instanceof Exception exception)) {
        throw new UnmarshalException("Return type not Exception");
      }
      return new Reply(null, declared(exception, call.method()), null);
    }

    /** As stubs do: what a method does not declare, no caller gets. */
    private static Exception declared(Exception thrown, Method method) {
      if (thrown instanceof RuntimeException || thrown instanceof RemoteException) {
        return thrown;
      }
      for (Class<?> declared : method.getExceptionTypes()) {
        if (declared.isInstance(thrown)) {
          return thrown;
        }
      }
      return new UnexpectedException("unexpected exception", thrown);
    }

    private static Exception asException(Throwable failed) {
      return failed instanceof Exception known ? known : new IOException(failed.toString(), failed);
    }
  }
}
