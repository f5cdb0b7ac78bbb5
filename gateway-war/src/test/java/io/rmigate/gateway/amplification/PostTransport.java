package io.rmigate.gateway.amplification;

import io.rmigate.gateway.edge.post.PostDoor;
import io.rmigate.gateway.login.Principal;
import io.rmigate.protocol.post.ConnectionId;
import io.rmigate.protocol.post.Post;
import io.rmigate.protocol.post.PostAnswer;
import io.rmigate.protocol.post.PostRequest;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.concurrent.atomic.AtomicLong;

/** POSTs one after the other, without the container's part. */
final class PostTransport implements ClientTransport {
  private static final int HOLD_MILLIS = 20_000;

  private final Wire wire = Wire.open();
  private final PostDoor door;
  private final Principal principal;
  private final Inbox inbox;
  private final ConnectionId id = ConnectionId.random(new SecureRandom());
  private final AtomicLong received = new AtomicLong();
  private long number;
  private int unreadHead;
  private int unreadBody;
  private long sentBytes;

  PostTransport(PostDoor door, Principal principal, Inbox inbox) throws IOException {
    this.door = door;
    this.principal = principal;
    this.inbox = inbox;
    Inbox.drain(wire.client(), this::readAnswers);
  }

  private void readAnswers(DataInputStream in) throws IOException {
    while (true) {
      byte[] body = in.readNBytes(in.readInt());
      PostAnswer answer = PostAnswer.decode(body, body.length);
      received.set(answer.number()); // answers come in order
      inbox.feed(answer.bytes(), answer.bytes().length);
    }
  }

  @Override
  public void send(byte[] bytes, int length) throws IOException {
    byte[] body = PostRequest.encode(id, ++number, received.get(), HOLD_MILLIS, bytes, 0, length);
    byte[] head =
        ("POST /rmigate/tunnel HTTP/1.1\r\nHost: gateway.example\r\nContent-Type: "
                + Post.CONTENT_TYPE
                + "\r\nAuthorization: Basic YW5uOnNlY3JldA==\r\nContent-Length: "
                + body.length
                + "\r\n\r\n")
            .getBytes(StandardCharsets.US_ASCII);
    ByteBuffer request = ByteBuffer.allocate(head.length + body.length).put(head).put(body);
    wire.send(request.array(), 0, request.capacity());
    unreadHead = head.length;
    unreadBody = body.length;
    sentBytes += request.capacity();
  }

  @Override
  public void take() throws IOException {
    byte[] body = new byte[unreadBody];
    wire.take(unreadHead + unreadBody).position(unreadHead).get(body);
    door.take(new PostedRequest(body, this::answer).request(), principal);
    inbox.await(() -> number - received.get() < Post.MAX_UNANSWERED, () -> false);
  }

  /** Called on any thread of the gateway. */
  private void answer(byte[] body) throws IOException {
    ByteBuffer answer = ByteBuffer.allocate(Integer.BYTES + body.length);
    Wire.write(wire.gateway(), answer.putInt(body.length).put(body).flip());
  }

  @Override
  public boolean isDry() {
    return received.get() == number;
  }

  @Override
  public long sentBytes() {
    return sentBytes;
  }

  @Override
  public void close() throws IOException {
    byte[] body = PostRequest.givingUp(id);
    door.take(new PostedRequest(body, any -> {}).request(), principal);
    wire.close();
  }
}
