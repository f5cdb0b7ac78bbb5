package io.rmigate.protocol.jrmp.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.jrmp.MessageEnd.Complete;
import io.rmigate.protocol.jrmp.MessageGrammar;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.rmi.ConnectException;
import java.rmi.ConnectIOException;
import java.rmi.UnknownHostException;
import java.rmi.registry.LocateRegistry;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class ExceptionalReturnTest {

  @Test
  void theCallerGetsExactlyThatException() throws Exception {
    ConnectException refused =
        new ConnectException(
            "Connection refused to host: inner", new java.net.ConnectException("refused"));
    Throwable caught = lookupAnsweredWith(refused);
    assertThat(caught).isExactlyInstanceOf(ConnectException.class);
    assertThat(caught).hasMessage(refused.getMessage());
    assertThat(caught.getCause()).isExactlyInstanceOf(java.net.ConnectException.class);
  }

  @Test
  void othersOfTheFamilyArriveUnwrappedToo() throws Exception {
    assertThat(lookupAnsweredWith(new ConnectIOException("no route", new IOException("no route"))))
        .isExactlyInstanceOf(ConnectIOException.class);
    assertThat(
            lookupAnsweredWith(
                new UnknownHostException("who", new java.net.UnknownHostException("who"))))
        .isExactlyInstanceOf(UnknownHostException.class);
  }

  @Test
  void theHeaderIsThatOfAReturnWithoutReferences() {
    byte[] bytes = ExceptionalReturn.encode(new ConnectException("x"));
    assertThat(HexFormat.of().formatHex(bytes))
        .startsWith(
            "51" // Return
                + "aced0005" // stream header
                + "770f" // block of 15
                + "02" // exceptional
                + "00".repeat(14) // UID
                + "73"); // object
    assertThat(MessageGrammar.endOfReply(bytes, 0, bytes.length))
        .isEqualTo(new Complete(bytes.length));
  }

  @Test
  void anExceptionThatCannotBeSerializedIsRefused() {
    @SuppressWarnings("serial")
    Exception bad =
        new Exception() {
          private static final long serialVersionUID = 1L;

          @SuppressWarnings("unused")
          final Object field = new Object();
        };
    assertThatThrownBy(() -> ExceptionalReturn.encode(bad))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** What a real client's lookup throws when its peer answers with this. */
  private static Throwable lookupAnsweredWith(Throwable exception) throws Exception {
    try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread peer =
          new Thread(
              () -> {
                try (Socket socket = listener.accept()) {
                  DataInputStream in = new DataInputStream(socket.getInputStream());
                  DataOutputStream out = new DataOutputStream(socket.getOutputStream());
                  in.skipNBytes(7); // magic, version, StreamProtocol
                  out.writeByte(Jrmp.PROTOCOL_ACK);
                  new EndpointId("127.0.0.1", socket.getPort()).writeTo(out);
                  EndpointId.readFrom(in);
                  in.skipNBytes(1); // The Call's first byte: the rest is not needed.
                  out.write(ExceptionalReturn.encode(exception));
                  while (in.read() >= 0) {
                    // until the client closes
                  }
                } catch (IOException over) {
                  // The client closed.
                }
              },
              "jrmp-peer");
      peer.start();
      Throwable caught =
          catchThrowable(
              () -> LocateRegistry.getRegistry("127.0.0.1", listener.getLocalPort()).lookup("x"));
      peer.join(10_000);
      return caught;
    }
  }
}
