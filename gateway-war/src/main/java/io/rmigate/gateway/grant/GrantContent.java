package io.rmigate.gateway.grant;

import io.rmigate.protocol.jrmp.EndpointId;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * What is inside a sealed grant.
 *
 * <pre>
 *   +-----------+------------+-------+--------------------------------------+
 *   | issued    | validity   | count | count times: UTF host, u32 port,     |
 *   | u64, sec. | u32, sec.  | u8    | UTF place, empty if it is that host  |
 *   +-----------+------------+-------+--------------------------------------+
 * </pre>
 *
 * @param issued in whole seconds
 * @param validity in whole seconds
 * @param registries that have named the endpoint; none where all there is to say is that the
 *     session was given the object
 */
record GrantContent(Instant issued, Duration validity, List<NamedRegistry> registries) {
  /** More than there is room for in a byte. */
  private static final int MAX_REGISTRIES = 255;

  GrantContent {
    registries = List.copyOf(registries);
  }

  byte[] encode() {
    if (registries.size() > MAX_REGISTRIES) {
      throw new IllegalStateException(registries.size() + " registries");
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    try {
      out.writeLong(issued.getEpochSecond());
      out.writeInt((int) validity.toSeconds());
      out.writeByte(registries.size());
      for (NamedRegistry registry : registries) {
        registry.asked().writeTo(out);
        boolean there = registry.reached().equalsIgnoreCase(registry.asked().host());
        out.writeUTF(there ? "" : registry.reached());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e); // only of a host that is longer than any frame
    }
    return bytes.toByteArray();
  }

  /**
   * @throws IOException no gateway has sealed this
   */
  static GrantContent decode(byte[] bytes) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
    Instant issued = Instant.ofEpochSecond(in.readLong());
    Duration validity = Duration.ofSeconds(in.readInt());
    int count = in.readUnsignedByte();
    List<NamedRegistry> registries = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      EndpointId asked = EndpointId.readFrom(in);
      String reached = in.readUTF();
      registries.add(new NamedRegistry(asked, reached.isEmpty() ? asked.host() : reached));
    }
    return new GrantContent(issued, validity, registries);
  }
}
