package io.rmigate.gateway.testing;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;

/**
 * A request over plain HTTP with exactly the headers that a test gives, {@code Host} among them.
 */
public final class RawRequest {
  private RawRequest() {}

  /**
   * The head of the answer, without the empty line.
   *
   * @param gateway up to the context path
   * @param path below the context path
   * @param headers each as one line
   */
  public static List<String> send(URI gateway, String method, String path, List<String> headers)
      throws IOException {
    StringBuilder request = new StringBuilder(method + " " + gateway.getPath() + path);
    request.append(" HTTP/1.1\r\n");
    headers.forEach(header -> request.append(header).append("\r\n"));
    return Handshake.send(gateway, request.append("\r\n").toString());
  }

  /** The status of the answer to a request without a body; the headers are those beside Host. */
  public static int status(URI gateway, String method, String path, String host, String... headers)
      throws IOException {
    List<String> all = new ArrayList<>(List.of("Host: " + host, "Content-Length: 0"));
    all.addAll(List.of(headers));
    String line = send(gateway, method, path, all).get(0);
    return Integer.parseInt(line.split(" ", 3)[1]);
  }
}
