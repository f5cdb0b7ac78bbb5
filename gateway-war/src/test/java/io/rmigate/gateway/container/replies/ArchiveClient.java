package io.rmigate.gateway.container.replies;

import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.util.Arrays;
import java.util.List;

/**
 * The client, for {@link LongRepliesIT}: host and port of the registry. With a number of bytes
 * behind them, it asks for that number, and for nothing that may not pass.
 */
public final class ArchiveClient {
  private static final int BYTES = 50_000_000;
  private static final int ENTRIES = 400_000;
  private static final int LATE = 40_000_000;

  private ArchiveClient() {}

  private interface Call {
    Object make() throws Exception;
  }

  /** Says of each call how it ended, then {@code over}. */
  public static void main(String[] args) throws Exception {
    Archive archive =
        (Archive) LocateRegistry.getRegistry(args[0], Integer.parseInt(args[1])).lookup("archive");
    ArchiveServer same = ArchiveServer.ofThisJvm();
    boolean honest = args.length > 2;
    int bytes = honest ? Integer.parseInt(args[2]) : BYTES;
    int count = (int) ((long) ENTRIES * bytes / BYTES);
    say("bytes", Arrays.equals(archive.bytes(bytes), same.bytes(bytes)));
    say("text", archive.text(bytes).equals(same.text(bytes)));
    List<Archive.Entry> entries = archive.entries(count);
    say("entries", entries.equals(same.entries(count)));
    if (!honest) {
      refused("stranger", () -> archive.bytesAndStranger(LATE));
      refused(
          "failure",
          () -> {
            archive.fail(LATE);
            return "nothing";
          });
    }
    say("again", archive.bytes(1000).length == 1000);
    System.out.println("over");
    System.exit(0);
  }

  private static void say(String what, boolean whole) {
    System.out.println(what + (whole ? " whole" : " harmed"));
  }

  private static void refused(String what, Call call) {
    try {
      System.out.println(what + " passed " + call.make());
    } catch (RemoteException ended) {
      System.out.println(what + " ended " + ended.getClass().getSimpleName());
    } catch (Exception passed) {
      System.out.println(what + " passed " + passed.getClass());
    }
  }
}
