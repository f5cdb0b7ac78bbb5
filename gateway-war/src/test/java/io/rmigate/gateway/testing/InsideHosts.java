package io.rmigate.gateway.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Two worlds of names by means of {@code -Djdk.net.hosts.file}, which makes a JVM resolve the names
 * of a file and no others. JVMs inside know {@link #INSIDE} and {@link #FORBIDDEN}; JVMs outside
 * know neither.
 *
 * @param inside hosts file of RMI servers and gateways
 * @param outside hosts file of clients
 */
public record InsideHosts(Path inside, Path outside) {
  /** Where the RMI servers are; this machine in truth. */
  public static final String INSIDE = "inside.example";

  /** Resolves to this machine inside, but no policy allows it. */
  public static final String FORBIDDEN = "forbidden.example";

  /** A name that the policy of the tests allows and that cannot be resolved. */
  public static final String MISSING = "missing.example";

  /** The files for all tests of this JVM, so that JVMs that know the same names can be reused. */
  public static InsideHosts ofAllTests() throws IOException {
    return write(WorkOfThisJvm.DIRECTORY);
  }

  /** Writes both files. */
  private static InsideHosts write(Path directory) throws IOException {
    // The machine's own name: programs ask for it at start and take long to do without.
    String own = "127.0.0.1 localhost " + InetAddress.getLocalHost().getHostName() + "\n";
    Path inside = directory.resolve("hosts-inside");
    Path outside = directory.resolve("hosts-outside");
    Files.writeString(inside, own + "127.0.0.1 " + INSIDE + " " + FORBIDDEN + "\n");
    Files.writeString(outside, own);
    return new InsideHosts(inside, outside);
  }

  /** The JVM option of a process inside. */
  public String insideOption() {
    return "-Djdk.net.hosts.file=" + inside;
  }

  /** The JVM option of a process outside. */
  public String outsideOption() {
    return "-Djdk.net.hosts.file=" + outside;
  }
}
