package io.rmigate.gateway.container.replies;

import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.util.ArrayList;
import java.util.List;

/** The server inside. Prints {@code archive ready <registry port>} and ends with its input. */
public final class ArchiveServer implements Archive {
  private ArchiveServer() {}

  /** To compare with. */
  static ArchiveServer ofThisJvm() {
    return new ArchiveServer();
  }

  /** Runs until its input ends. */
  public static void main(String[] args) throws Exception {
    ArchiveServer archive = new ArchiveServer();
    Registry registry = LocateRegistry.createRegistry(0);
    registry.bind("archive", UnicastRemoteObject.exportObject(archive, 0));
    System.out.println(
        "archive ready " + registry.toString().replaceAll("(?s).*:(\\d+)\\].*", "$1"));
    while (System.in.read() >= 0) {
      // The test sends nothing; the end of the input ends the program.
    }
  }

  @Override
  public byte[] bytes(int count) {
    byte[] bytes = new byte[count];
    for (int i = 0; i < count; i++) {
      bytes[i] = (byte) (i * 31 + (i >> 8));
    }
    return bytes;
  }

  @Override
  public String text(int count) {
    return "text \u20ac ".repeat(count / 7);
  }

  @Override
  public List<Entry> entries(int count) {
    List<Entry> entries = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      entries.add(new Entry(i, "entry number " + i));
    }
    return entries;
  }

  @Override
  public Object bytesAndStranger(int count) {
    return new Object[] {bytes(count), new Stranger(7)};
  }

  @Override
  public void fail(int count) throws LongFailure {
    throw new LongFailure(text(count), new Stranger(7));
  }
}
