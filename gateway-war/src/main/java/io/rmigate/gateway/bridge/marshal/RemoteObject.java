package io.rmigate.gateway.bridge.marshal;

import io.rmigate.protocol.LogText;
import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.message.LiveReference;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.NotSerializableException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.regex.Pattern;

/**
 * Stands in for {@code java.rmi.server.RemoteObject} in streams, and reads and writes the same data
 * (JRMP.md 3.2). The name is the JDK's because {@link java.io.ObjectStreamClass} compares what is
 * behind the last dot.
 */
@SuppressWarnings("serial") // the fields are in the blocks of data
abstract class RemoteObject implements Serializable {
  /** The serialVersionUID of the JDK's class. */
  private static final long serialVersionUID = -3215090123894869218L;

  private static final int NO_FACTORY = 0;

  /** Names, and addresses with colons and a zone. */
  private static final Pattern HOST = Pattern.compile("[\\x21-\\x7e]{1,255}");

  private transient LiveReference reference;

  RemoteObject(LiveReference reference) {
    this.reference = reference;
  }

  /** The live reference of the stub. */
  final LiveReference reference() {
    return reference;
  }

  private void readObject(ObjectInputStream in) throws IOException {
    ReplyReader reply = (ReplyReader) in;
    String type = in.readUTF();
    if (type.equals(LiveReference.UNICAST_REF2)) {
      if (in.readByte() != NO_FACTORY) {
        throw reply.refused(
            "a reference to " + LogText.brief(in.readUTF()) + " with a socket factory of its own");
      }
    } else if (!type.equals(LiveReference.UNICAST_REF)) {
      throw reply.refused("a reference of the kind '" + LogText.brief(type) + "'");
    }
    String host = in.readUTF();
    int port = in.readInt();
    byte[] object = new byte[Jrmp.OBJ_ID_BYTES];
    in.readFully(object);
    boolean inReturn = in.readBoolean();
    if (!HOST.matcher(host).matches() || port < 1 || port > 65535) {
      throw reply.refused("a reference to no endpoint");
    }
    reference =
        new LiveReference(host, port, ObjIdentifier.decode(object, 0), type, false, inReturn);
    reply.found(reference);
  }

  private void readObjectNoData() throws InvalidObjectException {
    throw new InvalidObjectException("a reference to nothing");
  }

  private void writeObject(ObjectOutputStream out) throws IOException {
    if (reference == null) {
      throw new NotSerializableException("a reference to nothing");
    }
    out.writeUTF(reference.refType());
    if (reference.refType().equals(LiveReference.UNICAST_REF2)) {
      out.writeByte(NO_FACTORY);
    }
    out.writeUTF(reference.host());
    out.writeInt(reference.port());
    out.write(reference.object().encode());
    out.writeBoolean(false); // only in Returns it may be true
  }
}
