package io.rmigate.gateway.container.doctor;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/**
 * What companies put between clients and gateways, in a program of its own:
 *
 * <ul>
 *   <li>an HTTP proxy that wants a login (Basic) and gets none;
 *   <li>a web server in front of the gateway that does not pass upgrades on;
 *   <li>an HTTP proxy that opens TLS, with certificates of an authority of its own.
 * </ul>
 *
 * Arguments: own address; gateway's port; password file; the gateway's key store; that of the proxy
 * that opens TLS.
 */
public final class Boxes {
  private static final int MOST_HEAD_BYTES = 16 * 1024;

  private final int gatewayPort;
  private final String address;
  private final SSLSocketFactory trusting;

  private Boxes(String address, int gatewayPort) throws Exception {
    this.address = address;
    this.gatewayPort = gatewayPort;
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {new TrustingAll()}, null);
    trusting = context.getSocketFactory();
  }

  /** See above; prints the ports when they are open. */
  public static void main(String[] arguments) throws Exception {
    Boxes boxes = new Boxes(arguments[0], Integer.parseInt(arguments[1]));
    char[] password = Files.readAllLines(Path.of(arguments[2])).get(0).toCharArray();
    SSLContext gateways = context(arguments[3], password);
    SSLContext forged = context(arguments[4], password);
    System.out.println(
        "boxes ready "
            + boxes.open(boxes::wantLogin)
            + " "
            + boxes.open(client -> boxes.stripUpgrade(tls(gateways, client)))
            + " "
            + boxes.open(client -> boxes.openTls(client, forged)));
    Thread.currentThread().join();
  }

  private interface Box {
    void serve(Socket client) throws IOException;
  }

  private int open(Box box) throws IOException {
    ServerSocket server = new ServerSocket();
    server.bind(new InetSocketAddress(address, 0));
    start(
        () -> {
          while (true) {
            Socket client = server.accept();
            start(
                () -> {
                  try (client) {
                    client.setSoTimeout(60_000);
                    box.serve(client);
                  }
                });
          }
        });
    return server.getLocalPort();
  }

  private interface Work {
    void run() throws IOException;
  }

  private static void start(Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (IOException gone) {
                // A client that hangs up is none of this box's business.
              }
            });
    thread.setDaemon(true);
    thread.start();
  }

  private void wantLogin(Socket client) throws IOException {
    head(client.getInputStream());
    answer(
        client,
        "407 Proxy Authentication Required",
        "Proxy-Authenticate: Basic realm=\"Example Corp\"\r\n");
  }

  private void openTls(Socket client, SSLContext forged) throws IOException {
    head(client.getInputStream());
    client
        .getOutputStream()
        .write("HTTP/1.1 200 Connection established\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    stripUpgrade(tls(forged, client)); // if the client trusted it, it would see everything
  }

  /** One request for each connection, and without what asks for an upgrade. */
  private void stripUpgrade(Socket client) throws IOException {
    BufferedInputStream in = new BufferedInputStream(client.getInputStream());
    List<String> head = head(in);
    if (head.isEmpty()) {
      return;
    }
    StringBuilder passed = new StringBuilder(head.get(0)).append("\r\n");
    int length = 0;
    for (String line : head.subList(1, head.size())) {
      String lower = line.toLowerCase(Locale.ROOT);
      if (lower.startsWith("content-length:")) {
        length = Integer.parseInt(line.substring(line.indexOf(':') + 1).strip());
      }
      if (!lower.startsWith("upgrade:") && !lower.startsWith("connection:")) {
        passed.append(line).append("\r\n");
      }
    }
    byte[] body = in.readNBytes(length);
    try (Socket gateway = trusting.createSocket(address, gatewayPort)) {
      // At once: a gateway that refuses by the head alone is gone before a second part comes.
      ByteArrayOutputStream request = new ByteArrayOutputStream();
      request.writeBytes(
          (passed + "Connection: close\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1));
      request.writeBytes(body);
      request.writeTo(gateway.getOutputStream());
      gateway.getInputStream().transferTo(client.getOutputStream());
    }
    client.getOutputStream().flush();
  }

  private static void answer(Socket client, String status, String fields) throws IOException {
    client
        .getOutputStream()
        .write(
            ("HTTP/1.1 "
                    + status
                    + "\r\n"
                    + fields
                    + "Content-Length: 0\r\nConnection: close\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII));
  }

  private static List<String> head(InputStream in) throws IOException {
    StringBuilder text = new StringBuilder();
    while (text.indexOf("\r\n\r\n") < 0 && text.length() < MOST_HEAD_BYTES) {
      int next = in.read();
      if (next < 0) {
        return List.of();
      }
      text.append((char) next);
    }
    return new ArrayList<>(List.of(text.toString().strip().split("\r\n")));
  }

  private static Socket tls(SSLContext context, Socket client) throws IOException {
    javax.net.ssl.SSLSocket socket =
        (javax.net.ssl.SSLSocket)
            context.getSocketFactory().createSocket(client, null, client.getPort(), false);
    socket.setUseClientMode(false);
    return socket;
  }

  private static SSLContext context(String keystore, char[] password) throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = new FileInputStream(keystore)) {
      store.load(in, password);
    }
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, password);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), null, null);
    return context;
  }

  /** The box stands beside the gateway. */
  private static final class TrustingAll implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
