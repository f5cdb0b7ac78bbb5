package io.rmigate.gateway.testing;

import io.rmigate.protocol.tunnel.Tunnel;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Asks a gateway for a WebSocket, byte by byte, over plain HTTP. */
public final class Handshake {

  /** What offers to compress, as browsers do. */
  public static final String DEFLATE =
      "Sec-WebSocket-Extensions: permessage-deflate; client_no_context_takeover,"
          + " permessage-deflate";

  private Handshake() {}

  /**
   * The head of the answer, without the empty line.
   *
   * @param gateway up to the context path
   * @param query of the address, with its question mark; may be empty
   * @param headers besides those of every handshake
   */
  public static List<String> ask(URI gateway, String query, String... headers) throws IOException {
    return send(gateway, request(gateway, query, headers));
  }

  /**
   * The head of the answer to a handshake for another host, without the empty line.
   *
   * @param host as in the header of that name
   */
  public static List<String> askFor(URI gateway, String host, String... headers)
      throws IOException {
    return send(gateway, requestFor(gateway, "", host, headers));
  }

  /** The handshake that {@link #ask} sends. */
  public static String request(URI gateway, String query, String... headers) {
    return requestFor(gateway, query, gateway.getAuthority(), headers);
  }

  private static String requestFor(URI gateway, String query, String host, String... headers) {
    StringBuilder request =
        new StringBuilder("GET " + gateway.getPath() + "/tunnel" + query + " HTTP/1.1\r\n")
            .append("Host: ")
            .append(host)
            .append("\r\n")
            .append("Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n")
            .append("Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n")
            .append("Sec-WebSocket-Protocol: ")
            .append(Tunnel.SUBPROTOCOL)
            .append("\r\n");
    for (String header : headers) {
      request.append(header).append("\r\n");
    }
    return request.append("\r\n").toString();
  }

  /** The head of the answer to any request, without the empty line. */
  public static List<String> send(URI gateway, String request) throws IOException {
    try (Socket socket = new Socket(gateway.getHost(), gateway.getPort())) {
      socket.setSoTimeout(60_000);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      BufferedReader answer =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
      List<String> head = new ArrayList<>();
      for (String line = answer.readLine();
          line != null && !line.isEmpty();
          line = answer.readLine()) {
        head.add(line);
      }
      return head;
    }
  }
}
