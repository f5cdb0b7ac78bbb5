package io.rmigate.gateway.amplification;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A request of a web-service client over HTTP, without the container's part. */
final class ServiceRequest implements Request {

  /** Makes the body. */
  interface Maker {
    byte[] make() throws IOException;
  }

  /** Handles the body. */
  interface Front {
    void take(byte[] body) throws IOException;
  }

  private final String name;
  private final String contentType;
  private final Maker maker;
  private final Front front;
  private final Wire wire = Wire.open();

  ServiceRequest(String name, String contentType, Maker maker, Front front) throws IOException {
    this.name = name;
    this.contentType = contentType;
    this.maker = maker;
    this.front = front;
  }

  @Override
  public String name() {
    return name;
  }

  private byte[] make() throws IOException {
    byte[] body = maker.make();
    byte[] head =
        ("POST /rmigate/services/"
                + MeasuredServices.PATH
                + " HTTP/1.1\r\nHost: gateway.example\r\nContent-Type: "
                + contentType
                + "\r\nAuthorization: Basic YW5uOnNlY3JldA==\r\nContent-Length: "
                + body.length
                + "\r\n\r\n")
            .getBytes(StandardCharsets.US_ASCII);
    return ByteBuffer.allocate(head.length + body.length).put(head).put(body).array();
  }

  @Override
  public long once(Meter meter) throws IOException {
    byte[][] made = new byte[1][];
    meter.client(() -> made[0] = make());
    byte[] request = made[0];
    ByteBuffer taken = ByteBuffer.allocate(request.length);
    for (int from = 0; from < request.length; from += Wire.ROOM) {
      int at = from;
      int length = Math.min(Wire.ROOM, request.length - from);
      meter.client(() -> wire.send(request, at, length));
      meter.gateway(() -> taken.put(wire.take(length)));
    }
    meter.gateway(() -> front.take(body(taken.array())));
    return request.length;
  }

  /** The bytes after the first empty line. */
  private static byte[] body(byte[] request) {
    int at = 0;
    while (request[at] != '\n' || request[at - 2] != '\n') {
      at++;
    }
    return Arrays.copyOfRange(request, at + 1, request.length);
  }

  @Override
  public void close() throws IOException {
    wire.close();
  }
}
