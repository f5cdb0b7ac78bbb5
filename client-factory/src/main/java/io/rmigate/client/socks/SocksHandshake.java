package io.rmigate.client.socks;

import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.jrmp.EndpointId;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The server's side of one SOCKS handshake: what the client wants to be connected to, and the
 * answer. Confined to one thread.
 *
 * <pre>
 *  SOCKS 5 (RFC 1928)                        SOCKS 4 and 4a
 *  ---&gt; 05 n methods                         ---&gt; 04 01 port:2 address:4 user 00 [name 00]
 *  &lt;--- 05 method                            &lt;--- 00 5A|5B port:2 address:4
 *  ---&gt; 01 len user len password   (RFC 1929, with a login)
 *  &lt;--- 01 00
 *  ---&gt; 05 01 00 type address port:2
 *  &lt;--- 05 reply 00 01 address:4 port:2
 * </pre>
 *
 * Names are never resolved here. An address is handed on as text, IPv6 without brackets.
 */
public final class SocksHandshake {
  private static final int SOCKS_5 = 5;
  private static final int SOCKS_4 = 4;
  private static final int CONNECT = 1;
  private static final int NO_LOGIN = 0;
  private static final int PASSWORD = 2;
  private static final int NO_METHOD = 0xFF;
  private static final int IPV4 = 1;
  private static final int NAME = 3;
  private static final int IPV6 = 4;
  private static final int GRANTED_4 = 0x5A;
  private static final int REJECTED_4 = 0x5B;

  /** Most bytes of a user name or host name in SOCKS 4, which has no lengths. */
  private static final int MAX_TEXT_BYTES = 255;

  private final DataInputStream in;
  private final OutputStream out;
  private final Optional<SocksLogin> login;
  private int version;

  /**
   * @param login that the client must give; SOCKS 4, which has none, is refused then
   */
  public SocksHandshake(InputStream in, OutputStream out, Optional<SocksLogin> login) {
    this.in = new DataInputStream(in);
    this.out = out;
    this.login = login;
  }

  /**
   * Reads as far as the request; {@link #answer} comes next.
   *
   * @throws ProtocolViolationException this is no SOCKS, or asks for what there is not; the client
   *     has been told as far as it would understand
   */
  public EndpointId readRequest() throws IOException {
    version = in.readUnsignedByte();
    if (version == SOCKS_5) {
      agreeOnMethod();
      return readRequest5();
    }
    if (version == SOCKS_4) {
      return readRequest4();
    }
    throw new ProtocolViolationException("expected SOCKS 5 or 4, got " + version);
  }

  private void agreeOnMethod() throws IOException {
    byte[] methods = in.readNBytes(in.readUnsignedByte());
    int wanted = login.isPresent() ? PASSWORD : NO_LOGIN;
    boolean offered = false;
    for (byte method : methods) {
      offered |= method == wanted;
    }
    out.write(new byte[] {SOCKS_5, (byte) (offered ? wanted : NO_METHOD)});
    out.flush();
    if (!offered) {
      throw new ProtocolViolationException(
          login.isPresent()
              ? "expected a SOCKS client that logs in, got one that does not"
              : "expected a SOCKS client that need not log in, got one that insists");
    }
    if (login.isPresent()) {
      checkLogin(login.get());
    }
  }

  private void checkLogin(SocksLogin expected) throws IOException {
    int sub = in.readUnsignedByte();
    byte[] user = in.readNBytes(in.readUnsignedByte());
    byte[] password = in.readNBytes(in.readUnsignedByte());
    boolean good = sub == 1 && expected.matches(user, password);
    out.write(new byte[] {1, (byte) (good ? 0 : 1)});
    out.flush();
    if (!good) {
      throw new ProtocolViolationException("expected the SOCKS password, got another one");
    }
  }

  private EndpointId readRequest5() throws IOException {
    int again = in.readUnsignedByte();
    int command = in.readUnsignedByte();
    in.readUnsignedByte(); // reserved
    int type = in.readUnsignedByte();
    if (again != SOCKS_5) {
      throw new ProtocolViolationException("expected SOCKS 5 again, got " + again);
    }
    String host =
        switch (type) {
          case IPV4 -> address(4);
          case IPV6 -> address(16);
          case NAME ->
              new String(in.readNBytes(in.readUnsignedByte()), StandardCharsets.UTF_8).strip();
          default -> {
            answer(SocksReply.ADDRESS_TYPE_NOT_SUPPORTED);
            throw new ProtocolViolationException("expected an address or a name, got " + type);
          }
        };
    int port = in.readUnsignedShort();
    if (command != CONNECT) {
      answer(SocksReply.COMMAND_NOT_SUPPORTED);
      throw new ProtocolViolationException("expected CONNECT, got command " + command);
    }
    return endpoint(host, port);
  }

  private EndpointId readRequest4() throws IOException {
    int command = in.readUnsignedByte();
    int port = in.readUnsignedShort();
    byte[] address = in.readNBytes(4);
    untilZero();
    if (command != CONNECT || login.isPresent()) {
      answer(SocksReply.NOT_ALLOWED);
      throw new ProtocolViolationException(
          "expected CONNECT"
              + (login.isPresent() ? " and a login, which SOCKS 4 has not" : "")
              + ", got command "
              + command);
    }
    boolean named = address[0] == 0 && address[1] == 0 && address[2] == 0 && address[3] != 0;
    return endpoint(named ? untilZero() : InetAddress.getByAddress(address).getHostAddress(), port);
  }

  private EndpointId endpoint(String host, int port) throws IOException {
    if (host.isEmpty() || port == 0) {
      answer(SocksReply.GENERAL_FAILURE);
      throw new ProtocolViolationException("expected a host and a port from 1, got none");
    }
    return new EndpointId(host, port);
  }

  private String address(int bytes) throws IOException {
    return InetAddress.getByAddress(in.readNBytes(bytes)).getHostAddress();
  }

  private String untilZero() throws IOException {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    for (int next = in.readUnsignedByte(); next != 0; next = in.readUnsignedByte()) {
      if (text.size() == MAX_TEXT_BYTES) {
        throw new ProtocolViolationException("expected a text of at most 255 bytes, got more");
      }
      text.write(next);
    }
    return text.toString(StandardCharsets.UTF_8);
  }

  /** Answers the request. After {@link SocksReply#SUCCEEDED} the connection is the client's. */
  public void answer(SocksReply reply) throws IOException {
    if (version == SOCKS_4) {
      int code = reply == SocksReply.SUCCEEDED ? GRANTED_4 : REJECTED_4;
      out.write(new byte[] {0, (byte) code, 0, 0, 0, 0, 0, 0});
    } else {
      out.write(new byte[] {SOCKS_5, (byte) reply.code(), 0, IPV4, 0, 0, 0, 0, 0, 0});
    }
    out.flush();
  }
}
