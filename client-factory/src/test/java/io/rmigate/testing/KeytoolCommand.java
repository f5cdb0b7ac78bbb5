package io.rmigate.testing;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The JDK's keytool, run in this JVM because a JVM for each of its commands takes a second. */
public final class KeytoolCommand {
  private static final String EXPORT =
      "--add-exports java.base/sun.security.tools.keytool=ALL-UNNAMED";

  private KeytoolCommand() {}

  /**
   * Runs keytool on a keystore. The arguments name other files by absolute paths, since this JVM
   * cannot change its working directory.
   *
   * @param store PKCS12; made if there is none
   * @param password of the keystore
   * @throws IOException with keytool's output, if it fails
   * @throws IllegalStateException if this JVM was started without the option that lets it call
   *     keytool
   */
  public static void run(Path store, String password, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add("-debug"); // makes keytool throw its exception instead of ending the JVM
    command.addAll(List.of(arguments));
    command.addAll(List.of("-storetype", "PKCS12"));
    command.addAll(List.of("-keystore", store.toAbsolutePath().toString()));
    command.addAll(List.of("-storepass", password));
    long since = System.nanoTime();
    try {
      runInThisJvm(command.toArray(String[]::new));
    } finally {
      TestTimes.add(TestTimes.Activity.KEY_GENERATION, since);
    }
  }

  /** Holds the lock because keytool prints to the standard streams, which belong to the JVM. */
  private static synchronized void runInThisJvm(String[] command) throws IOException {
    PrintStream out = System.out;
    PrintStream err = System.err;
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    System.setOut(diverted(out, output));
    System.setErr(diverted(err, output));
    try {
      Class.forName("sun.security.tools.keytool.Main")
          .getMethod("main", String[].class)
          .invoke(null, (Object) command);
    } catch (InvocationTargetException e) {
      throw new IOException("keytool: " + output.toString(Charset.defaultCharset()), e.getCause());
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("keytool is not accessible; start the JVM with " + EXPORT, e);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this JDK has another keytool", e);
    } finally {
      System.setOut(out);
      System.setErr(err);
    }
  }

  private static PrintStream diverted(PrintStream others, OutputStream output) {
    return new PrintStream(new DivertedStream(output, others), true);
  }

  /**
   * Writes the text of the thread that made the stream to one target, all other text to another.
   */
  private static final class DivertedStream extends OutputStream {
    private final Thread keytool = Thread.currentThread();
    private final OutputStream output;
    private final OutputStream others;

    DivertedStream(OutputStream output, OutputStream others) {
      this.output = output;
      this.others = others;
    }

    private OutputStream target() {
      return Thread.currentThread() == keytool ? output : others;
    }

    @Override
    public void write(int octet) throws IOException {
      target().write(octet);
    }

    @Override
    public void write(byte[] octets, int offset, int length) throws IOException {
      target().write(octets, offset, length);
    }

    @Override
    public void flush() throws IOException {
      target().flush();
    }
  }
}
