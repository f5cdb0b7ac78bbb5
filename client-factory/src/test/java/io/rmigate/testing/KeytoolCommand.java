package io.rmigate.testing;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The JDK's keytool, in a JVM that starts as fast as it can. */
public final class KeytoolCommand {
  private static final List<String> SHORT_LIVED =
      List.of("-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-J-Xshare:auto");

  private KeytoolCommand() {}

  /**
   * Runs it on a keystore, in the keystore's directory.
   *
   * @param store PKCS12; made if there is none
   * @param password of the keystore
   * @throws IOException with what it says, if it fails
   */
  public static void run(Path store, String password, String... arguments)
      throws IOException, InterruptedException {
    long since = System.nanoTime();
    try {
      runOn(store, password, arguments);
    } finally {
      TestTimes.add(TestTimes.Activity.KEY_GENERATION, since);
    }
  }

  private static void runOn(Path store, String password, String... arguments)
      throws IOException, InterruptedException {
    Path file = store.toAbsolutePath();
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of(arguments));
    command.addAll(List.of("-storetype", "PKCS12", "-keystore", file.toString()));
    command.addAll(List.of("-storepass", password));
    command.addAll(SHORT_LIVED);
    Process process =
        new ProcessBuilder(command)
            .directory(file.getParent().toFile())
            .redirectErrorStream(true)
            .start();
    TestTimes.countJvm();
    String output = new String(process.getInputStream().readAllBytes(), Charset.defaultCharset());
    if (process.waitFor() != 0) {
      throw new IOException("keytool: " + output);
    }
  }
}
