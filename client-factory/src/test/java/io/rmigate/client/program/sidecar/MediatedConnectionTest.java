package io.rmigate.client.program.sidecar;

import static io.rmigate.testing.Patience.PATIENCE;
import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.client.config.ClientConfig;
import io.rmigate.client.config.ConfigKey;
import io.rmigate.client.mediator.MediatorAgent;
import io.rmigate.client.mediator.MediatorSettings;
import io.rmigate.client.socks.LocalListener;
import io.rmigate.protocol.coding.Compression;
import io.rmigate.protocol.jrmp.CallBytes;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.message.ExceptionalReturn;
import io.rmigate.protocol.tunnel.Close;
import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.Credit;
import io.rmigate.protocol.tunnel.Data;
import io.rmigate.protocol.tunnel.Deadline;
import io.rmigate.protocol.tunnel.Open;
import io.rmigate.protocol.tunnel.RefusalReason;
import io.rmigate.protocol.tunnel.Refused;
import io.rmigate.protocol.tunnel.ReturnEnd;
import io.rmigate.testing.FakeGateway;
import io.rmigate.testing.NamedThreads;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.rmi.NoSuchObjectException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a JVM that knows nothing of us says on a real socket, against a scripted gateway. */
class MediatedConnectionTest {
  /** {@code void v()}: a whole Call of 41 bytes. */
  private static final byte[] CALL =
      hex("50 aced0005 7722" + "00".repeat(21) + "07" + "ffffffff 9c9e6b1308366dda");

  /** {@code CALL} with two strings behind it. */
  private static final byte[] CALL_WITH_STRINGS =
      hex(HexFormat.of().formatHex(CALL) + "74000161" + "740003626364");

  private static final int FIRST_STRING_ENDS_AT = CALL.length + 4;

  /** A void Return. */
  private static final byte[] RETURN = hex("51 aced0005 770f 01" + "00".repeat(14));

  /** One with a string. */
  private static final byte[] STRING_RETURN =
      hex("51 aced0005 770f 01" + "00".repeat(14) + "74000568656c6c6f");

  private final FakeGateway gateway = new FakeGateway();
  private final MediatorAgent agent =
      new MediatorAgent(gateway, MediatorSettings.of(PATIENCE, Map.of(), Compression.OFF));
  private LocalListener listener;

  private static byte[] hex(String text) {
    return HexFormat.of().parseHex(text.replace(" ", ""));
  }

  @BeforeEach
  void listen() throws IOException {
    listen(ClientConfig.builder());
  }

  private void listen(ClientConfig.Builder config) throws IOException {
    ClientConnections connections =
        new ClientConnections(
            agent,
            config.gateways(URI.create("https://gw.example/rmigate")).build(),
            Optional.empty());
    listener =
        new LocalListener(
                InetAddress.getLoopbackAddress(),
                0,
                "rmigate-forward",
                10,
                client -> connections.forward(client, new EndpointId("inside.example", 1099)))
            .start();
  }

  @AfterEach
  void nothingIsLeft() {
    listener.close();
    agent.close();
    NamedThreads.awaitEnd("rmigate-");
  }

  /** A client that has shaken hands. */
  private Client client() throws IOException {
    Client client =
        new Client(new Socket(listener.address().getAddress(), listener.address().getPort()));
    client.write(hex("4a524d49 0002 4b"));
    assertThat(client.in.readByte()).isEqualTo((byte) 0x4E);
    client.in.readUTF();
    client.in.readInt();
    client.write(hex("0003 612e62 00000000"));
    return client;
  }

  private record Client(Socket socket, DataInputStream in, OutputStream out)
      implements AutoCloseable {
    Client(Socket socket) throws IOException {
      this(socket, new DataInputStream(socket.getInputStream()), socket.getOutputStream());
    }

    void write(byte[] bytes) throws IOException {
      out.write(bytes);
      out.flush();
    }

    void write(byte[] bytes, int offset, int length) {
      try {
        out.write(bytes, offset, length);
      } catch (IOException failed) {
        throw new UncheckedIOException(failed);
      }
    }

    byte[] read(int count) throws IOException {
      return in.readNBytes(count);
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  /** What comes on a stream until a request has ended. */
  private static byte[] request(FakeGateway.Connection link, int stream) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (Data data = link.expect(Data.class); ; data = link.expect(Data.class)) {
      assertThat(data.stream()).isEqualTo(stream);
      bytes.write(data.bytes());
      if (data.endOfRequest()) {
        return bytes.toByteArray();
      }
    }
  }

  @Test
  void pingsAreAnsweredHereWithoutALink() throws Exception {
    try (Client client = client()) {
      for (int i = 0; i < 3; i++) {
        client.write(new byte[] {0x52});
        assertThat(client.in.read()).isEqualTo(0x53);
      }
    }
    assertThat(agent.currentLink()).isEmpty();
  }

  /** The first call, which has come to the gateway. */
  private FakeGateway.Connection called(Client client) throws Exception {
    client.write(CALL);
    FakeGateway.Connection link = gateway.accept();
    link.expect(Open.class);
    request(link, 1);
    return link;
  }

  /** What the call returns comes to the client. */
  private static void answer(FakeGateway.Connection link, Client client) throws Exception {
    link.send(new Data(1, false, RETURN));
    assertThat(client.read(RETURN.length)).isEqualTo(RETURN);
  }

  private static void callAndAnswer(FakeGateway.Connection link, Client client) throws Exception {
    client.write(CALL);
    assertThat(request(link, 1)).isEqualTo(CALL);
    answer(link, client);
  }

  @Test
  void callEndsWhereItsGrammarSaysAndReturnsComeBack() throws Exception {
    try (Client client = client()) {
      client.write(CALL);
      FakeGateway.Connection link = gateway.accept();
      assertThat(link.expect(Open.class).host()).isEqualTo("inside.example");
      assertThat(request(link, 1)).isEqualTo(CALL);
      link.send(new Data(1, false, STRING_RETURN));
      assertThat(client.read(STRING_RETURN.length)).isEqualTo(STRING_RETURN);
      client.write(CALL_WITH_STRINGS);
      assertThat(request(link, 1)).isEqualTo(CALL_WITH_STRINGS);
      answer(link, client);
    }
  }

  @Test
  void callsAfterVoidReturnsGoOverTheSameStream() throws Exception {
    try (Client client = client()) {
      FakeGateway.Connection link = null;
      for (int i = 0; i < 20; i++) {
        client.write(CALL);
        if (link == null) {
          link = gateway.accept();
          link.expect(Open.class);
        }
        assertThat(request(link, 1)).isEqualTo(CALL);
        answer(link, client);
      }
    }
  }

  @Test
  void callThatComesByteAfterByteIsExecutedOnce() throws Exception {
    try (Client client = client()) {
      for (byte one : CALL_WITH_STRINGS) {
        client.write(new byte[] {one});
      }
      FakeGateway.Connection link = gateway.accept();
      byte[] whole = lastRequest(link);
      assertThat(whole).isEqualTo(CALL_WITH_STRINGS);
    }
  }

  /** What is sent on the last stream, those before it having been closed without an answer. */
  private static byte[] lastRequest(FakeGateway.Connection link) throws Exception {
    Open open = link.expect(Open.class);
    while (true) {
      byte[] request = request(link, open.stream());
      if (request.length == CALL_WITH_STRINGS.length) {
        return request;
      }
      assertThat(link.expect(Close.class).stream()).isEqualTo(open.stream());
      open = link.expect(Open.class);
    }
  }

  @Test
  void callThatSeemedWholeTooEarlyIsSentAnewAndWhole() throws Exception {
    try (Client client = client()) {
      client.write(Arrays.copyOf(CALL_WITH_STRINGS, FIRST_STRING_ENDS_AT));
      FakeGateway.Connection link = gateway.accept();
      assertThat(link.expect(Open.class).stream()).isEqualTo(1);
      assertThat(request(link, 1)).hasSize(FIRST_STRING_ENDS_AT);

      client.write(
          Arrays.copyOfRange(CALL_WITH_STRINGS, FIRST_STRING_ENDS_AT, CALL_WITH_STRINGS.length));

      assertThat(link.expect(Close.class).stream()).isEqualTo(1);
      assertThat(link.expect(Open.class).stream()).isEqualTo(3);
      assertThat(request(link, 3)).isEqualTo(CALL_WITH_STRINGS);
      link.send(new Data(3, false, STRING_RETURN));
      assertThat(client.read(STRING_RETURN.length)).isEqualTo(STRING_RETURN);
    }
  }

  @Test
  void returnInPiecesIsCarriedToItsEnd() throws Exception {
    try (Client client = client()) {
      FakeGateway.Connection link = called(client);
      for (byte one : STRING_RETURN) {
        link.send(new Data(1, false, new byte[] {one}));
      }
      assertThat(client.read(STRING_RETURN.length)).isEqualTo(STRING_RETURN);
    }
  }

  @Test
  void refusalIsTheExceptionOfPlainRmi() throws Exception {
    try (Client client = client()) {
      FakeGateway.Connection link = called(client);
      link.send(new Refused(1, 1, RefusalReason.CONNECTION_REFUSED, "no listener"));
      byte[] beginning = client.read(RETURN.length);
      assertThat(beginning[0]).isEqualTo((byte) 0x51);
      assertThat(beginning[7]).isEqualTo((byte) 2);
      client.write(CALL); // the connection stays
    }
  }

  @Test
  void gatewayThatCannotBeReachedIsAnExceptionToo() throws Exception {
    gateway.policy(FakeGateway.ConnectPolicy.REFUSE);
    try (Client client = client()) {
      client.write(CALL);
      assertThat(client.read(RETURN.length)[7]).isEqualTo((byte) 2);
    }
  }

  @Test
  void serverThatGoesDuringACallEndsTheConnection() throws Exception {
    try (Client client = client()) {
      FakeGateway.Connection link = called(client);
      link.send(new ReturnEnd(1, 1));
      assertThat(client.in.read()).isEqualTo(-1);
    }
  }

  @Test
  void serverThatGoesAfterAReturnEndsNothing() throws Exception {
    try (Client client = client()) {
      FakeGateway.Connection link = called(client);
      link.send(new Data(1, false, RETURN), new ReturnEnd(1, 1));
      assertThat(client.read(RETURN.length)).isEqualTo(RETURN);
      callAndAnswer(link, client);
    }
  }

  /** Its end is not known, and its server ends the connection behind each call. */
  @Test
  void serverThatGoesAfterALongReturnDoesNotTakeTheNextCallWithIt() throws Exception {
    byte[] tail = new byte[100_000];
    byte[] beginning = hex("51 aced0005 770f 01" + "00".repeat(14) + "7a000186a0");
    try (Client client = client()) {
      FakeGateway.Connection link = called(client);
      link.send(new Data(1, false, beginning));
      for (int sent = 0; sent < tail.length; sent += 10_000) {
        link.send(new Data(1, false, new byte[10_000]));
      }
      link.send(new ReturnEnd(1, 1));
      client.read(beginning.length + tail.length);
      callAndAnswer(link, client);
    }
  }

  /** The next call has begun when it is told, so that only who looks knows whose end it is. */
  @Test
  void theLateEndOfOneReturnIsNotTakenForTheEndOfTheNext() throws Exception {
    byte[] opaque = new byte[100_000];
    byte[] beginning = hex("51 aced0005 770f 01" + "00".repeat(14) + "7a000186a0");
    System.arraycopy(beginning, 0, opaque, 0, beginning.length);
    try (Client client = client()) {
      FakeGateway.Connection link = called(client);
      for (int sent = 0; sent < opaque.length; sent += 10_000) {
        link.send(new Data(1, false, Arrays.copyOfRange(opaque, sent, sent + 10_000)));
      }
      client.read(opaque.length);
      long before = agent.account().sums().plainRoundTrips();
      client.write(Arrays.copyOf(CALL, 1));
      await().until(() -> agent.account().sums().plainRoundTrips() == before + 1);

      link.send(new ReturnEnd(1, 1));
      await().until(MediatedConnectionTest::returnThreadHasSeenTheEnd);
      client.write(Arrays.copyOfRange(CALL, 1, CALL.length));

      assertThat(request(link, 1)).isEqualTo(CALL);
      answer(link, client);
    }
  }

  /** It waits for the next one, or has ended. */
  private static boolean returnThreadHasSeenTheEnd() {
    return Thread.getAllStackTraces().entrySet().stream()
        .filter(each -> each.getKey().getName().endsWith(" back"))
        .flatMap(each -> Arrays.stream(each.getValue()))
        .noneMatch(frame -> frame.getMethodName().equals("readReturn"));
  }

  @Test
  void aCallThatIsLongerThanWhatTheGatewayHoldsIsPassedOnAndEndsWithItsAnswer() throws Exception {
    byte[] call = Arrays.copyOf(CALL, 3 * 1024 * 1024); // no grammar knows its end
    gateway.welcome(gateway.welcomeWith(64 * 1024, Duration.ofSeconds(30)));
    try (Client client = client()) {
      client.write(call, 0, 40_000);
      FakeGateway.Connection link = gateway.accept();
      link.expect(Open.class);
      int come = 0;
      while (come < 40_000) {
        come += part(link).length; // all of it: no thread waits for the rest
      }
      Thread rest = new Thread(() -> client.write(call, 40_000, call.length - 40_000));
      rest.start();
      int credited = 0;
      while (come < call.length) {
        come += part(link).length;
        if (come - credited > 32 * 1024) {
          link.send(new Credit(1, come - credited));
          credited = come;
        }
      }
      rest.join();
      assertThat(link.unexpected()).isEmpty();

      link.send(new Data(1, false, STRING_RETURN));
      assertThat(client.read(STRING_RETURN.length)).isEqualTo(STRING_RETURN);
      assertThat(request(link, 1)).isEmpty(); // the end of the long one, and nothing more
      link.send(new Credit(1, 32 * 1024));
      callAndAnswer(link, client);
    }
  }

  /** A gateway that looks into calls waits for the end of such a one, too. */
  @Test
  void aLongCallEndsWhereItsGrammarSaysThatItMay() throws Exception {
    byte[] call = CallBytes.callWith(new byte[40_000]);
    gateway.welcome(gateway.welcomeWith(64 * 1024, Duration.ofSeconds(30)));
    try (Client client = client()) {
      client.write(call);
      FakeGateway.Connection link = gateway.accept();
      link.expect(Open.class);
      assertThat(request(link, 1)).isEqualTo(call);
      link.send(new Data(1, false, STRING_RETURN));
      assertThat(client.read(STRING_RETURN.length)).isEqualTo(STRING_RETURN);
    }
  }

  private static byte[] part(FakeGateway.Connection link) throws Exception {
    Data part = link.expect(Data.class);
    assertThat(part.endOfRequest()).isFalse();
    return part.bytes();
  }

  @Test
  void aLongCallThatIsRefusedIsTheExceptionOfPlainRmiToo() throws Exception {
    gateway.welcome(gateway.welcomeWith(64 * 1024, Duration.ofSeconds(30)));
    try (Client client = client()) {
      client.write(Arrays.copyOf(CALL, 40_000));
      FakeGateway.Connection link = gateway.accept();
      link.expect(Open.class);
      for (int come = 0; come < 40_000; ) {
        come += part(link).length;
      }
      link.send(new Refused(1, 1, RefusalReason.CONNECTION_REFUSED, "no listener"));
      // A client reads when it has written all, more than any buffer on the way takes.
      client.write(new byte[8 * 1024 * 1024], 0, 8 * 1024 * 1024);
      assertThat(client.read(RETURN.length)[7]).isEqualTo((byte) 2);
      assertThat(request(link, 1).length).isLessThan(1024 * 1024);
    }
  }

  /** What a server says that has not read all of it: its rest spells another Call. */
  @Test
  void theRestOfALongCallThatWasAnsweredEarlyIsNoOtherCall() throws Exception {
    gateway.welcome(gateway.welcomeWith(64 * 1024, Duration.ofSeconds(30)));
    byte[] refusal = ExceptionalReturn.encode(new NoSuchObjectException("no such object in table"));
    try (Client client = client()) {
      client.write(Arrays.copyOf(CALL, 40_000));
      FakeGateway.Connection link = gateway.accept();
      link.expect(Open.class);
      for (int come = 0; come < 40_000; ) {
        come += part(link).length;
      }
      for (byte one : refusal) { // in the smallest pieces
        link.send(new Data(1, false, new byte[] {one}));
      }
      assertThat(request(link, 1)).isEmpty();
      for (int i = 0; i < 100; i++) {
        client.write(CALL);
      }
      assertThat(client.read(refusal.length)).isEqualTo(refusal);
      client.socket.shutdownOutput();
      assertThat(client.in.read()).isEqualTo(-1);
      assertThat(link.expect(Close.class).stream()).isEqualTo(1);
    }
  }

  /** Of the application, which has all of its Call. */
  @Test
  void callsFollowALongOneThatEndsWithAnExceptionOfTheApplication() throws Exception {
    gateway.welcome(gateway.welcomeWith(64 * 1024, Duration.ofSeconds(30)));
    byte[] thrown = ExceptionalReturn.encode(new IllegalStateException("scripted"));
    try (Client client = client()) {
      client.write(Arrays.copyOf(CALL, 40_000));
      FakeGateway.Connection link = gateway.accept();
      link.expect(Open.class);
      for (int come = 0; come < 40_000; ) {
        come += part(link).length;
      }
      link.send(new Data(1, false, thrown));
      assertThat(client.read(thrown.length)).isEqualTo(thrown);
      assertThat(request(link, 1)).isEmpty();
      client.write(CALL);
      assertThat(request(link, 1)).isEqualTo(CALL);
    }
  }

  @Test
  void aCallThatTakesTooLongIsAnExceptionAndNoMereEnd() throws Exception {
    listener.close();
    listen(ClientConfig.builder().set(ConfigKey.CALL_TIMEOUT, "30s"));
    gateway.welcome(gateway.welcomeWith(64 * 1024, Duration.ofSeconds(30)));
    try (Client client = client()) {
      client.write(CALL);
      FakeGateway.Connection link = gateway.accept();
      link.expect(Open.class);
      link.expect(Deadline.class);
      request(link, 1);
      link.send(new Close(1, CloseCause.CALL_TIMEOUT));
      assertThat(new String(client.in.readAllBytes(), StandardCharsets.ISO_8859_1))
          .contains("java.rmi.UnmarshalException")
          .contains("waiting for the answer of the server")
          .contains("may have been executed");
    }
  }

  @Test
  void aCallWhoseResultIsLostIsAnExceptionAndNoMereEnd() throws Exception {
    try (Client client = client()) {
      FakeGateway.Connection link = called(client);
      link.send(new Close(1, CloseCause.NOT_PERMITTED));
      assertThat(new String(client.in.readAllBytes(), StandardCharsets.ISO_8859_1))
          .contains("java.rmi.UnmarshalException")
          .contains("may have been executed")
          .doesNotContain("SocketException");
    }
  }

  @Test
  void clientThatGoesDuringACallEndsItsStream() throws Exception {
    FakeGateway.Connection link;
    try (Client client = client()) {
      client.write(CALL);
      link = gateway.accept();
      link.expect(Open.class);
      request(link, 1);
    }
    assertThat(link.expect(Close.class).stream()).isEqualTo(1);
  }

  @Test
  void whatIsNoMessageEndsTheConnectionAndReachesNobody() throws Exception {
    try (Client client = client()) {
      client.write(new byte[] {0x47});
      assertThat(client.in.read()).isEqualTo(-1);
    }
    assertThat(agent.currentLink()).isEmpty();
  }

  @Test
  void whatIsNoJrmpIsNotCarriedWhereSocketsDoNotSaySo() throws Exception {
    try (Socket other = new Socket(listener.address().getAddress(), listener.address().getPort())) {
      other.getOutputStream().write("GET / HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      int end;
      try {
        end = other.getInputStream().read();
      } catch (IOException reset) {
        end = -1;
      }
      assertThat(end).isEqualTo(-1);
    }
    assertThat(agent.currentLink()).isEmpty();
  }
}
