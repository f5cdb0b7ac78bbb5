package io.rmigate.gateway.container.traces;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.net.Socket;
import java.rmi.registry.LocateRegistry;
import java.rmi.server.ObjID;
import java.rmi.server.RMISocketFactory;
import java.rmi.server.UID;
import java.util.HashMap;
import java.util.Map;

/**
 * Writes the call of an OpenTelemetry agent by hand, with a {@link Bait} in its context. Says what
 * came back, and then whether an order can be placed.
 *
 * <pre>
 * ForgedContext HOST PORT
 * </pre>
 */
final class ForgedContext {
  private static final int CONTEXT = -2;

  private ForgedContext() {}

  public static void main(String[] args) throws Exception {
    String host = args[0];
    int port = Integer.parseInt(args[1]);
    RMISocketFactory sockets = RMISocketFactory.getSocketFactory(); // the agent's, if there is one
    try (Socket socket =
        (sockets == null ? RMISocketFactory.getDefaultSocketFactory() : sockets)
            .createSocket(host, port)) {
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      DataInputStream in = new DataInputStream(socket.getInputStream());
      greet(out, in);
      out.writeByte(0x50);
      writeContext(out, Map.of("traceparent", new Bait()));
      System.out.println("forged: " + answer(in));
    }
    Orders orders = (Orders) LocateRegistry.getRegistry(host, port).lookup("orders");
    System.out.println(orders.place("order"));
    System.out.println("bye");
  }

  private static void greet(DataOutputStream out, DataInputStream in) throws IOException {
    out.writeInt(0x4A524D49);
    out.writeShort(2);
    out.writeByte(0x4B);
    out.flush();
    in.readByte();
    in.readUTF();
    in.readInt();
    out.writeUTF("");
    out.writeInt(0);
  }

  private static void writeContext(DataOutputStream to, Map<String, Object> context)
      throws IOException {
    ObjectOutputStream out =
        new ObjectOutputStream(to) {
          @Override
          protected void annotateClass(Class<?> type) throws IOException {
            writeObject(null);
          }
        };
    new ObjID("io.opentelemetry.javaagent.context-call".hashCode()).write(out);
    out.writeInt(CONTEXT);
    out.writeLong(CONTEXT);
    out.writeObject(new HashMap<>(context));
    out.flush();
  }

  private static String answer(InputStream in) throws IOException, ClassNotFoundException {
    if (in.read() < 0) {
      return "closed"; // the agent has failed at what it has deserialized
    }
    ObjectInputStream message =
        new ObjectInputStream(in) {
          @Override
          protected Class<?> resolveClass(java.io.ObjectStreamClass type)
              throws IOException, ClassNotFoundException {
            readObject();
            return super.resolveClass(type);
          }
        };
    boolean returned = message.readByte() == 1;
    UID.read(message);
    return returned ? "returned" : message.readObject().toString().replaceAll("\\s+", " ");
  }
}
