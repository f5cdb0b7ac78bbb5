package io.rmigate.gateway.testing;

import io.rmigate.protocol.jrmp.Jrmp;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.net.Socket;
import java.rmi.server.UID;

/**
 * What a Call of any bytes is answered with, which RMI's clients would not send.
 *
 * @param returned whether it is a result; else it is what was thrown
 */
public record PlainCall(boolean returned, Object value) {

  /** Sends it as RMI's clients do, on a connection that is new, and reads what comes back. */
  public static PlainCall on(Socket socket, byte[] call) throws IOException {
    DataOutputStream out = new DataOutputStream(socket.getOutputStream());
    DataInputStream in = new DataInputStream(socket.getInputStream());
    out.writeInt(Jrmp.MAGIC);
    out.writeShort(Jrmp.VERSION);
    out.writeByte(Jrmp.STREAM_PROTOCOL);
    out.flush();
    in.readByte();
    in.readUTF();
    in.readInt();
    out.writeUTF("");
    out.writeInt(0);
    out.flush();
    out.write(call);
    out.flush();
    in.readByte();
    try (ObjectInputStream result = new ObjectInputStream(in)) {
      boolean returned = result.readByte() == Jrmp.NORMAL_RETURN;
      UID.read(result);
      return new PlainCall(returned, result.readObject());
    } catch (ClassNotFoundException e) {
      throw new IOException(e);
    }
  }
}
