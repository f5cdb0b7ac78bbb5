package io.rmigate.gateway.container.oldjvms;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** An HTTP proxy that knows CONNECT alone, wants a login, and can cut what goes through it. */
final class LoginProxy implements AutoCloseable {
  static final String USER = "carol";
  static final String PASSWORD = "proxy-secret";

  private static final String WANTS_LOGIN =
      String.join(
          "\r\n",
          "HTTP/1.1 407 Login",
          "Proxy-Authenticate: Basic realm=\"proxy\"",
          "Content-Length: 0",
          "",
          "");

  private final ServerSocket listener;
  private final List<Socket> open = new CopyOnWriteArrayList<>();
  private final AtomicInteger tunnels = new AtomicInteger();
  private final String login =
      "Proxy-Authorization: Basic "
          + Base64.getEncoder()
              .encodeToString((USER + ":" + PASSWORD).getBytes(StandardCharsets.US_ASCII));

  LoginProxy() throws IOException {
    listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    start(this::accept);
  }

  int port() {
    return listener.getLocalPort();
  }

  /** How many tunnels were opened. */
  int tunnels() {
    return tunnels.get();
  }

  /** Closes all connections. */
  void cut() throws IOException {
    for (Socket socket : open) {
      socket.close();
    }
    open.clear();
  }

  private void accept() throws IOException {
    while (true) {
      Socket client = listener.accept();
      open.add(client);
      start(() -> serve(client));
    }
  }

  private void serve(Socket client) throws IOException {
    while (true) {
      String head = head(client.getInputStream());
      if (head.isEmpty()) {
        client.close();
        return;
      }
      if (head.startsWith("CONNECT ") && head.contains(login)) {
        String port = head.substring(head.indexOf(':') + 1, head.indexOf(" HTTP/"));
        Socket server = new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(port));
        open.add(server);
        tunnels.incrementAndGet();
        write(client, "HTTP/1.1 200 Connected\r\n\r\n");
        start(() -> copy(server, client));
        copy(client, server);
        return;
      }
      write(client, WANTS_LOGIN);
    }
  }

  private static void write(Socket to, String text) throws IOException {
    to.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
  }

  private static String head(InputStream in) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    int last = 0;
    for (int next = in.read(); next >= 0; next = in.read()) {
      head.write(next);
      last = last << 8 | next;
      if (last == 0x0d0a0d0a) {
        return head.toString(StandardCharsets.US_ASCII);
      }
    }
    return "";
  }

  private static void copy(Socket from, Socket to) throws IOException {
    try (from;
        to) {
      from.getInputStream().transferTo(to.getOutputStream());
    }
  }

  /** A task that may end by the end of its connection. */
  private interface Task {
    void run() throws IOException;
  }

  private static void start(Task task) {
    Thread thread =
        new Thread(
            () -> {
              try {
                task.run();
              } catch (IOException e) {
                // The connection has ended.
              }
            },
            "login-proxy");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() throws IOException {
    listener.close();
    cut();
  }
}
