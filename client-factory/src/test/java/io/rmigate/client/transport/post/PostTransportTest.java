package io.rmigate.client.transport.post;

import static io.rmigate.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.client.config.ClientConfig;
import io.rmigate.client.transport.TransportBed;
import io.rmigate.protocol.post.PostAnswer;
import io.rmigate.protocol.post.PostRequest;
import io.rmigate.testing.ServedConnections;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What becomes of requests that are lost together. */
class PostTransportTest {
  /** Sent on a connection on which a request waits, and no answer to it. */
  private static final String SIGN_OF_LIFE = "HTTP/1.1 100 Continue\r\n\r\n";

  /** More often than a reader who hears nothing looks up. */
  private static final int SIGN_MILLIS = 20;

  private static final int SIGNS = 200;

  @RegisterExtension final TransportBed bed = new TransportBed();
  private final BlockingQueue<Arrived> arrived = new LinkedBlockingQueue<>();
  private ServedConnections gateway;
  private PostTransport transport;

  /** A request, and where its answer is to go. */
  private record Arrived(PostRequest request, Socket from) {
    String text() {
      return request.number() + new String(request.bytes(), StandardCharsets.US_ASCII);
    }

    void answer(String text) throws IOException {
      byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
      byte[] body = new PostAnswer(request.number(), false, false, bytes).encode();
      say("HTTP/1.1 200 OK\r\nContent-Length: " + body.length + "\r\n\r\n");
      from.getOutputStream().write(body);
    }

    void say(String head) throws IOException {
      from.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
    }
  }

  @BeforeEach
  void connect() throws Exception {
    gateway = new ServedConnections("scripted-post-gateway");
    gateway.start(this::serve);
    URI url = URI.create("http://127.0.0.1:" + gateway.port() + "/rmigate");
    CompletableFuture<Void> opening =
        CompletableFuture.runAsync(
            () -> {
              try {
                next("1").answer("");
              } catch (Exception e) {
                throw new AssertionError(e);
              }
            },
            task -> new Thread(task, "scripted-opening").start());
    transport =
        bed.closing(
            new PostConnector(ClientConfig.builder().gateways(url).build()).connect(PATIENCE));
    bed.closing(gateway);
    opening.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  private void serve(Socket client) throws IOException {
    DataInputStream in = new DataInputStream(client.getInputStream());
    while (true) {
      StringBuilder head = new StringBuilder();
      while (head.indexOf("\r\n\r\n") < 0) {
        head.append((char) in.readUnsignedByte());
      }
      int length = Integer.parseInt(head.toString().replaceAll("(?s).*Length: (\\d+)\r\n.*", "$1"));
      arrived.add(new Arrived(PostRequest.decode(in.readNBytes(length), length), client));
    }
  }

  private Arrived next() throws InterruptedException {
    Arrived next = arrived.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    assertThat(next).isNotNull();
    return next;
  }

  private Arrived next(String text) throws InterruptedException {
    Arrived next = next();
    assertThat(next.text()).isEqualTo(text);
    return next;
  }

  /** The next one, while the reader always hears something. */
  private Arrived nextWhileTalkingTo(Arrived waiting, String text) throws Exception {
    Arrived next = null;
    for (int sign = 0; next == null && sign < SIGNS; sign++) {
      waiting.say(SIGN_OF_LIFE);
      next = arrived.poll(SIGN_MILLIS, TimeUnit.MILLISECONDS);
    }
    assertThat(next).as("request " + text).isNotNull();
    assertThat(next.text()).isEqualTo(text);
    return next;
  }

  private CompletableFuture<String> reading(int count) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            byte[] bytes = new byte[count];
            for (int at = 0; at < count; ) {
              at += transport.read(bytes, at, count - at);
            }
            return new String(bytes, StandardCharsets.US_ASCII);
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        },
        task -> new Thread(task, "user-of-transport").start());
  }

  private void write(String text) throws IOException {
    transport.write(text.getBytes(StandardCharsets.US_ASCII), 0, text.length());
  }

  @Test
  void allRequestsThatWereLostTogetherAreSentAgainAtOnce() throws Exception {
    CompletableFuture<String> read = reading(4);
    Socket heard = next("2").from();
    write("call");
    next("3call").from().close();
    heard.close(); // which is noticed

    Arrived first = next();
    boolean emptyFirst = first.text().equals("2");
    Arrived waiting = emptyFirst ? first : next("2");
    Arrived call = emptyFirst ? nextWhileTalkingTo(waiting, "3call") : first;
    assertThat(call.text()).isEqualTo("3call");
    waiting.answer("");
    call.answer("done");

    assertThat(read.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo("done");
  }

  @Test
  void nothingIsSentOnConnectionsThatWereLostWhileTheyRested() throws Exception {
    CompletableFuture<String> read = reading(8);
    Arrived empty = next("2");
    write("call");
    Arrived call = next("3call");
    empty.answer("");
    call.answer("done");
    next("4"); // on one of the two; the other rests

    gateway.cut();
    Arrived waiting = next("4");
    write("more");
    Arrived more = nextWhileTalkingTo(waiting, "5more");
    waiting.answer("");
    more.answer("done");

    assertThat(read.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo("donedone");
  }
}
