package io.rmigate.gateway.testing;

import io.rmigate.sample.SampleServer;
import io.rmigate.testing.Patience;
import io.rmigate.testing.RefusingPort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * What stands behind the gateway: the sample server, a JVM with stock JMX, a port at which no
 * program listens, and a server that speaks something else than JRMP.
 *
 * @param samplePort registry port of the sample server
 * @param jmxPort registry port of the management
 * @param dead the port at which no program listens
 * @param foreignPort of the server that is not JRMP
 */
public record InsideServers(
    ChildJvm sample,
    ChildJvm jmx,
    ServerSocket foreign,
    int samplePort,
    int jmxPort,
    RefusingPort dead,
    int foreignPort)
    implements AutoCloseable {

  private static final Pattern READY = Pattern.compile("^(?:jmx )?sample ready (\\d+)$");

  /** Starts everything and waits until it is ready. */
  public static InsideServers start(Path directory, InsideHosts hosts)
      throws IOException, InterruptedException {
    ChildJvm sample = server("sample", directory, hosts).start();
    ChildJvm jmx =
        ChildJvm.named("jmx", directory)
            .jvmOptions(hosts.insideOption(), "-Xmx64m")
            .property("java.rmi.server.hostname", InsideHosts.INSIDE)
            .property("com.sun.management.jmxremote.port", 0)
            .property("com.sun.management.jmxremote.authenticate", false)
            .property("com.sun.management.jmxremote.ssl", false)
            .classPath(BuiltArtefacts.codeSource(SampleServer.class))
            .reusable()
            .main("io.rmigate.sample.JmxSample")
            .start();
    try {
      ServerSocket foreign = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
      Thread answering = new Thread(() -> answerInHttp(foreign), "foreign server");
      answering.setDaemon(true);
      answering.start();
      return new InsideServers(
          sample,
          jmx,
          foreign,
          port(sample),
          port(jmx),
          new RefusingPort(),
          foreign.getLocalPort());
    } catch (AssertionError | IOException e) {
      sample.close();
      jmx.close();
      throw e;
    }
  }

  private static ChildJvm.Builder server(String name, Path directory, InsideHosts hosts) {
    return ChildJvm.named(name, directory)
        .jvmOptions(hosts.insideOption(), "-Xmx500m")
        .property("java.rmi.server.hostname", InsideHosts.INSIDE)
        .classPath(BuiltArtefacts.codeSource(SampleServer.class))
        .reusable()
        .main(SampleServer.class.getName());
  }

  private static int port(ChildJvm jvm) throws InterruptedException {
    return Integer.parseInt(jvm.awaitLine(READY, Patience.PATIENCE).group(1));
  }

  /** Answers any request as a web server would, until the socket is closed. */
  private static void answerInHttp(ServerSocket server) {
    byte[] refusal =
        "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    while (!server.isClosed()) {
      try (Socket socket = server.accept()) {
        socket.setSoTimeout(1_000);
        socket.getOutputStream().write(refusal);
        socket.shutdownOutput();
        socket.getInputStream().readAllBytes(); // else a reset would overtake the refusal
      } catch (IOException e) {
        // The peer was faster, or the server is being closed: the loop's condition knows.
      }
    }
  }

  @Override
  public void close() throws IOException {
    foreign.close();
    dead.close();
    sample.close();
    jmx.close();
  }

  /** A port at which no program listens. */
  public int deadPort() {
    return dead.number();
  }
}
