package io.rmigate.gateway.scan;

import io.rmigate.protocol.jrmp.message.LiveReferenceScan;
import io.rmigate.testing.MarshalStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Serializable;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.rmi.MarshalledObject;
import java.rmi.Remote;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.RMIServerSocketFactory;
import java.rmi.server.UnicastRemoteObject;
import java.util.Collection;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/**
 * A program with the JDK's RMI as it is, without any filter, on 127.0.0.1. What it answers can be
 * anything: its sockets replace a Return where they are asked to. Takes its port and says {@code
 * attacked} and the id of its object.
 */
public final class AttackedServer implements Attacked {
  static final String NAME = "attacked";
  static final String TAKEN = "taken";

  /** What the call of this thread is answered with. */
  private static final ThreadLocal<byte[]> REPLY = new ThreadLocal<>();

  private AttackedServer() {}

  /** Runs until its process is ended. */
  public static void main(String[] args) throws Exception {
    int port = Integer.parseInt(args[0]);
    Sockets sockets = new Sockets();
    Registry registry = LocateRegistry.createRegistry(port, null, sockets);
    Remote stub = UnicastRemoteObject.exportObject(new AttackedServer(), port, null, sockets);
    registry.bind(NAME, stub);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (MarshalStream out = new MarshalStream(bytes)) {
      out.writeObject(stub);
    }
    byte[] object =
        LiveReferenceScan.scan(bytes.toByteArray(), 0, bytes.size()).get(0).object().encode();
    System.out.println("attacked " + HexFormat.of().formatHex(object));
    Thread.currentThread().join();
  }

  @Override
  public String take(Object argument) {
    if (argument instanceof MarshalledObject<?> marshalled) {
      try {
        marshalled.get();
      } catch (IOException | ClassNotFoundException e) {
        throw new IllegalArgumentException(e);
      }
    }
    return TAKEN;
  }

  @Override
  public String takeBehind(String first, short second, Object argument) {
    return TAKEN;
  }

  @Override
  public String takeSerializable(Serializable argument) {
    return TAKEN;
  }

  @Override
  public String takeMap(Map<?, ?> argument) {
    return TAKEN;
  }

  @Override
  public String takeList(List<?> argument) {
    return TAKEN;
  }

  @Override
  public String takeCollection(Collection<?> argument) {
    return TAKEN;
  }

  @Override
  public String takeIterable(Iterable<?> argument) {
    return TAKEN;
  }

  @Override
  public String takeComparable(Comparable<?> argument) {
    return TAKEN;
  }

  @Override
  public String takeComparator(Comparator<?> argument) {
    return TAKEN;
  }

  @Override
  public String takeNumber(Number argument) {
    return TAKEN;
  }

  @Override
  public String takeThrowable(Throwable argument) {
    return TAKEN;
  }

  @Override
  public Object give(byte[] reply) {
    REPLY.set(reply);
    return null;
  }

  private static final class Sockets implements RMIServerSocketFactory {
    @Override
    public ServerSocket createServerSocket(int wanted) throws IOException {
      return new ServerSocket(wanted, 50, InetAddress.getLoopbackAddress()) {
        @Override
        public Socket accept() throws IOException {
          Socket accepted = new AnsweringSocket();
          implAccept(accepted);
          return accepted;
        }
      };
    }
  }

  /** What RMI writes after a reply was replaced goes nowhere, until it reads again. */
  private static final class AnsweringSocket extends Socket {
    private volatile boolean replaced;

    @Override
    public InputStream getInputStream() throws IOException {
      return new FilterInputStream(super.getInputStream()) {
        @Override
        public int read(byte[] into, int from, int length) throws IOException {
          replaced = false;
          return super.read(into, from, length);
        }
      };
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
      return new FilterOutputStream(super.getOutputStream()) {
        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
          byte[] reply = REPLY.get();
          if (reply != null) {
            REPLY.remove();
            replaced = true;
            out.write(reply);
          } else if (!replaced) {
            out.write(bytes, from, length);
          }
        }
      };
    }
  }
}
