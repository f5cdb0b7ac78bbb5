package io.rmigate.gateway.edge.post;

import io.rmigate.testing.ServedConnections;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What may stand between agent and gateway: an HTTP/1.1 intermediary that buffers whole bodies,
 * with the habits it is given. It forwards POSTs only; anything else, such as an upgrade, is
 * answered with 400.
 */
final class Middlebox implements AutoCloseable {

  /** What it does besides. */
  enum Habit {
    /** Each answer says, and is followed by, the end of the connection. */
    CLOSES_EACH,
    /** No field of a request is passed on that HTTP does not need. */
    STRIPS_HEADERS,
    /** Bodies of answers leave in small chunks. */
    RECHUNKS,
    /** Bodies of answers end where the connection ends. */
    SPEAKS_HTTP_1_0,
    /** Each POST is sent twice at the same time; the answer to the second counts. */
    REPEATS,
    /** Each POST waits for a moment of its own, so that they overtake each other. */
    DELAYS,
    /** Of three answers one never arrives: the connection breaks instead. */
    LOSES_ANSWERS,
    /** Of three requests one never arrives: the connection breaks instead. */
    LOSES_REQUESTS,
    /** Nothing waits longer than {@link #PATIENCE_MILLIS}: then comes a 504. */
    IS_IMPATIENT
  }

  static final int PATIENCE_MILLIS = 1_500;
  private static final int LONGEST_DELAY_MILLIS = 10;
  private static final int CHUNK = 700;

  private final ServedConnections connections = new ServedConnections("middlebox");
  private final int target;
  private final Set<Habit> habits;
  private final AtomicInteger posts = new AtomicInteger();
  private final AtomicInteger timeouts = new AtomicInteger();
  private final AtomicInteger lost = new AtomicInteger();
  private final Random random = new Random(7);

  /** Before that port of loopback. */
  Middlebox(int target, Habit... habits) throws IOException {
    this.target = target;
    this.habits =
        habits.length == 0 ? EnumSet.noneOf(Habit.class) : EnumSet.copyOf(List.of(habits));
    connections.start(this::serve);
  }

  int port() {
    return connections.port();
  }

  /** Requests that have come, repeated ones included. */
  int posts() {
    return posts.get();
  }

  int connections() {
    return connections.accepted();
  }

  /** How many requests have waited too long. */
  int timeouts() {
    return timeouts.get();
  }

  /** How many requests or answers have been lost. */
  int lost() {
    return lost.get();
  }

  /** Breaks every connection there is. */
  void cut() throws IOException {
    connections.cut();
  }

  private void serve(Socket socket) throws IOException, InterruptedException {
    socket.setTcpNoDelay(true);
    DataInputStream in = new DataInputStream(socket.getInputStream());
    boolean goesOn = true;
    while (goesOn) {
      Message request = Message.read(in);
      goesOn = request.start.startsWith("POST ") ? pass(request, socket) : refuse(socket);
    }
  }

  private static boolean refuse(Socket socket) throws IOException {
    send(socket, "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    return false;
  }

  private boolean pass(Message request, Socket back) throws IOException, InterruptedException {
    int number = posts.incrementAndGet();
    if (habits.contains(Habit.LOSES_REQUESTS) && isUnlucky(number)) {
      return false;
    }
    if (habits.contains(Habit.DELAYS)) {
      Thread.sleep(random.nextInt(LONGEST_DELAY_MILLIS)); // this is what the box does
    }
    byte[] forwarded = forwarded(request);
    if (habits.contains(Habit.REPEATS)) {
      connections.run(() -> sendInVain(forwarded));
    }
    Message answer;
    try {
      answer = ask(forwarded);
    } catch (java.net.SocketTimeoutException tooLong) {
      timeouts.incrementAndGet();
      send(back, "HTTP/1.1 504 Gateway Timeout\r\nContent-Length: 5\r\n\r\nslow\n");
      return true;
    }
    if (habits.contains(Habit.LOSES_ANSWERS) && isUnlucky(number)) {
      return false;
    }
    return answer(answer, back);
  }

  /** Not the first, with which a connection begins. */
  private boolean isUnlucky(int number) {
    boolean unlucky = number > 3 && number % 3 == 0;
    lost.addAndGet(unlucky ? 1 : 0);
    return unlucky;
  }

  private void sendInVain(byte[] request) {
    try {
      ask(request);
    } catch (IOException nobodyAsked) {
      // Nor does anybody wait for it.
    }
  }

  private byte[] forwarded(Message request) {
    StringBuilder head = new StringBuilder(request.start + "\r\n");
    for (String field : request.fields) {
      String name = field.substring(0, field.indexOf(':')).toLowerCase(Locale.ROOT);
      if (!habits.contains(Habit.STRIPS_HEADERS) || name.equals("host")) {
        head.append(name.equals("connection") ? "" : field + "\r\n");
      } else if (name.equals("content-length")) {
        head.append(field + "\r\n");
      }
    }
    head.append("Connection: close\r\n\r\n");
    return join(head.toString(), request.body);
  }

  private Message ask(byte[] request) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), target)) {
      connections.endAlong(socket);
      if (habits.contains(Habit.IS_IMPATIENT)) {
        socket.setSoTimeout(PATIENCE_MILLIS);
      }
      socket.getOutputStream().write(request);
      return Message.read(new DataInputStream(socket.getInputStream()));
    }
  }

  private boolean answer(Message answer, Socket back) throws IOException {
    boolean endsWithConnection = habits.contains(Habit.SPEAKS_HTTP_1_0);
    boolean close = endsWithConnection || habits.contains(Habit.CLOSES_EACH);
    String status = answer.start.substring(answer.start.indexOf(' '));
    StringBuilder head =
        new StringBuilder((endsWithConnection ? "HTTP/1.0" : "HTTP/1.1") + status + "\r\n");
    if (close && !endsWithConnection) {
      head.append("Connection: close\r\n");
    }
    if (endsWithConnection) {
      send(back, join(head + "\r\n", answer.body));
    } else if (habits.contains(Habit.RECHUNKS)) {
      send(back, join(head + "Transfer-Encoding: chunked\r\n\r\n", chunks(answer.body)));
    } else {
      send(back, join(head + "Content-Length: " + answer.body.length + "\r\n\r\n", answer.body));
    }
    return !close;
  }

  private static byte[] chunks(byte[] body) {
    ByteArrayOutputStream chunks = new ByteArrayOutputStream();
    for (int at = 0; at < body.length; at += CHUNK) {
      byte[] chunk = Arrays.copyOfRange(body, at, Math.min(body.length, at + CHUNK));
      chunks.writeBytes(join(Integer.toHexString(chunk.length) + ";of=box\r\n", chunk));
      chunks.writeBytes(new byte[] {'\r', '\n'});
    }
    chunks.writeBytes("0\r\nX-Trailer: none\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    return chunks.toByteArray();
  }

  private static byte[] join(String head, byte[] body) {
    byte[] start = head.getBytes(StandardCharsets.ISO_8859_1);
    byte[] all = Arrays.copyOf(start, start.length + body.length);
    System.arraycopy(body, 0, all, start.length, body.length);
    return all;
  }

  private static void send(Socket socket, String text) throws IOException {
    send(socket, text.getBytes(StandardCharsets.ISO_8859_1));
  }

  private static void send(Socket socket, byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
  }

  /** A request or an answer with its whole body, which has a length. */
  private static final class Message {
    private final String start;
    private final List<String> fields;
    private final byte[] body;

    private Message(String start, List<String> fields, byte[] body) {
      this.start = start;
      this.fields = fields;
      this.body = body;
    }

    static Message read(DataInputStream in) throws IOException {
      List<String> lines = Arrays.asList(head(in).split("\r\n"));
      int length =
          lines.stream()
              .filter(line -> line.toLowerCase(Locale.ROOT).startsWith("content-length:"))
              .mapToInt(line -> Integer.parseInt(line.substring(15).strip()))
              .findFirst()
              .orElse(0);
      byte[] body = new byte[length];
      in.readFully(body);
      return new Message(lines.get(0), lines.subList(1, lines.size()), body);
    }

    private static String head(InputStream in) throws IOException {
      StringBuilder head = new StringBuilder();
      while (head.indexOf("\r\n\r\n") < 0) {
        int next = in.read();
        if (next < 0) {
          throw new EOFException();
        }
        head.append((char) next);
      }
      return head.toString();
    }
  }

  @Override
  public void close() throws IOException {
    connections.close();
  }
}
