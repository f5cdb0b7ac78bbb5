package io.rmigate.perf.ways;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Posts messages of RMI's SingleOp protocol to {@code /cgi-bin/java-rmi.cgi?forward=PORT}, each on
 * a connection of its own, and returns the answers' bodies.
 */
final class ServletPosts {
  /** Magic, version 2, SingleOpProtocol. */
  private static final byte[] SINGLE_OP = {'J', 'R', 'M', 'I', 0, 2, 0x4c};

  private static final int LONGEST_LINE = 8 * 1024;

  private final String gateway;
  private final int gatewayPort;
  private final String host;
  private final int port;

  /**
   * @param host of the RMI server, which the gateway takes from the field {@code Host}
   */
  ServletPosts(String gateway, int gatewayPort, String host, int port) {
    this.gateway = gateway;
    this.gatewayPort = gatewayPort;
    this.host = host;
    this.port = port;
  }

  /** Sends a message and returns the server's answer; no bytes for a DgcAck. */
  byte[] send(byte[] message) throws IOException {
    try (Socket socket = new Socket(gateway, gatewayPort)) {
      socket.setTcpNoDelay(true);
      ByteArrayOutputStream request = new ByteArrayOutputStream();
      request.writeBytes(head(SINGLE_OP.length + message.length));
      request.writeBytes(SINGLE_OP);
      request.writeBytes(message);
      request.writeTo(socket.getOutputStream());
      return answer(new BufferedInputStream(socket.getInputStream()));
    }
  }

  private byte[] head(int length) {
    return """
        POST /cgi-bin/java-rmi.cgi?forward=%d HTTP/1.1\r
        Host: %s:%d\r
        Content-Type: application/octet-stream\r
        Content-Length: %d\r
        Connection: close\r
        \r
        """
        .formatted(port, host, gatewayPort, length)
        .getBytes(StandardCharsets.US_ASCII);
  }

  private static byte[] answer(InputStream in) throws IOException {
    String status = line(in);
    if (!status.matches("HTTP/1\\.[01] 200( .*)?")) {
      throw new IOException("the gateway's legacy endpoint has answered: " + status);
    }
    long length = -1;
    for (String field = line(in); !field.isEmpty(); field = line(in)) {
      String lower = field.toLowerCase(Locale.ROOT);
      if (lower.startsWith("content-length:")) {
        length = Long.parseLong(field.substring(field.indexOf(':') + 1).strip());
      } else if (lower.startsWith("transfer-encoding:")) {
        return chunks(in);
      }
    }
    return length < 0 ? in.readAllBytes() : exactly(in, Math.toIntExact(length));
  }

  private static byte[] chunks(InputStream in) throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    while (true) {
      int length = Integer.parseInt(line(in).split(";", 2)[0].strip(), 16);
      if (length == 0) {
        return body.toByteArray(); // nothing but the end of the connection follows
      }
      body.writeBytes(exactly(in, length));
      line(in);
    }
  }

  private static byte[] exactly(InputStream in, int length) throws IOException {
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException("the gateway's answer ends early");
    }
    return bytes;
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0 || line.length() > LONGEST_LINE) {
        throw new EOFException("the gateway's answer is no HTTP");
      }
      if (next != '\r') {
        line.append((char) next);
      }
    }
    return line.toString();
  }
}
