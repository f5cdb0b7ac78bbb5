package io.rmigate.protocol.jrmp.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rmigate.protocol.jrmp.CallBytes;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.MessageEnd;
import io.rmigate.protocol.jrmp.MessageGrammar;
import io.rmigate.protocol.jrmp.RemoteStubs;
import io.rmigate.protocol.jrmp.message.ReferenceRewriter.Crossing;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Externalizable;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectInputStream;
import java.io.ObjectOutput;
import java.io.Serializable;
import java.io.StreamCorruptedException;
import java.net.Socket;
import java.rmi.MarshalledObject;
import java.rmi.Remote;
import java.rmi.server.RMIClientSocketFactory;
import java.rmi.server.UnicastRemoteObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** References change their endpoints in messages as the JDK writes them, and nothing else does. */
class ReferenceRewriterTest {
  private static final EndpointId GATEWAY = new EndpointId("gw.inner.example", 40_001);
  private static final EndpointId LONG_NAME = new EndpointId("g".repeat(250), 7);
  private static final Crossing NOWHERE = (host, port, object) -> Optional.empty();

  interface Callable extends Remote {}

  private static final class Exported implements Callable {}

  /** Comes with a stub. */
  private record Plain() implements RMIClientSocketFactory, Serializable {
    private static final long serialVersionUID = 1L;

    @Override
    public Socket createSocket(String host, int port) throws IOException {
      return new Socket(host, port);
    }
  }

  /** Unframed bytes, then an object: its layout is known to its class only. */
  public static final class Odd implements Externalizable {
    private static final long serialVersionUID = 1L;
    private transient Object held;

    /** For its reader. */
    public Odd() {}

    Odd(Object held) {
      this.held = held;
    }

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
      out.writeLong(0x7777777777777777L);
      out.writeObject(held);
      out.writeByte(0x77);
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException, ClassNotFoundException {
      in.readLong();
      held = in.readObject();
      in.readByte();
    }
  }

  private final List<Remote> exported = new ArrayList<>();
  private EndpointId local;

  @AfterEach
  void unexport() throws Exception {
    for (Remote object : exported) {
      UnicastRemoteObject.unexportObject(object, true);
    }
  }

  private Remote export() throws Exception {
    Exported object = new Exported();
    UnicastRemoteObject.exportObject(object, 0);
    exported.add(object);
    byte[] call = CallBytes.callWith(object);
    LiveReference known = LiveReferenceScan.scan(call, 0, call.length).get(0);
    local = new EndpointId(known.host(), known.port());
    return object;
  }

  private Crossing from(EndpointId one, EndpointId other) {
    return (host, port, object) ->
        new EndpointId(host, port).equals(one) ? Optional.of(other) : Optional.empty();
  }

  private static byte[] whole(byte[] message, Crossing crossing) throws IOException {
    return ReferenceRewriter.ofCall(crossing, true).more(message, 0, message.length, true);
  }

  private static byte[] inPieces(byte[] message, Crossing crossing, boolean knowsEnd)
      throws IOException {
    ReferenceRewriter rewriter = ReferenceRewriter.ofCall(crossing, knowsEnd);
    ByteArrayOutputStream passed = new ByteArrayOutputStream();
    for (int i = 0; i < message.length; i++) {
      boolean last = knowsEnd && i == message.length - 1;
      passed.writeBytes(rewriter.more(message, i, 1, last));
    }
    return passed.toByteArray();
  }

  private static Object read(byte[] call) throws Exception {
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(call, 1, call.length - 1)) {
          @Override
          protected Class<?> resolveClass(java.io.ObjectStreamClass desc)
              throws IOException, ClassNotFoundException {
            readObject();
            return super.resolveClass(desc);
          }

          @Override
          protected Class<?> resolveProxyClass(String[] interfaces)
              throws IOException, ClassNotFoundException {
            readObject();
            return java.lang.reflect.Proxy.newProxyInstance(
                    Callable.class.getClassLoader(),
                    new Class<?>[] {Remote.class, Callable.class},
                    (proxy, method, arguments) -> null)
                .getClass();
          }
        }) {
      in.readFully(new byte[34]);
      return in.readObject();
    }
  }

  private static List<EndpointId> endpoints(byte[] message) {
    return LiveReferenceScan.scan(message, 0, message.length).stream()
        .map(known -> new EndpointId(known.host(), known.port()))
        .toList();
  }

  /** There and back, whole and byte by byte. */
  private void crosses(Object argument, int references) throws Exception {
    byte[] before = CallBytes.callWith(argument);
    assertThat(endpoints(before)).hasSize(references).containsOnly(local);
    for (EndpointId there : List.of(GATEWAY, LONG_NAME)) {
      byte[] after = whole(before, from(local, there));

      assertThat(endpoints(after)).hasSize(references).containsOnly(there);
      assertThat(MessageGrammar.endOfRequest(after, 0, after.length))
          .isEqualTo(new MessageEnd.Complete(after.length));
      assertThat(inPieces(before, from(local, there), true)).isEqualTo(after);
      assertThat(inPieces(before, from(local, there), false)).isEqualTo(after);
      assertThat(whole(after, from(there, local))).isEqualTo(before);
      assertThat(inPieces(after, from(there, local), false)).isEqualTo(before);
    }
    assertThat(inPieces(before, NOWHERE, false)).isEqualTo(before);
  }

  @Test
  void aStubAmongOtherArgumentsChangesItsEndpointAndNothingElse() throws Exception {
    Remote stub = export();
    Object arguments =
        new Object[] {"text", stub, List.of(1, 2, stub), new byte[20_000], "x".repeat(70_000)};
    crosses(arguments, 1); // the second time it is a handle

    Object read = read(whole(CallBytes.callWith(arguments), from(local, GATEWAY)));
    assertThat(((Object[]) read)[1].toString())
        .contains("[" + GATEWAY.host() + ":" + GATEWAY.port() + "]");
  }

  @Test
  void severalStubsOfOneJvmAllChange() throws Exception {
    Remote one = export();
    crosses(new Object[] {one, export(), new int[3], export()}, 3);
  }

  @Test
  void aStubWithASocketFactoryChangesBeforeItsFactory() throws Exception {
    Exported object = new Exported();
    UnicastRemoteObject.exportObject(object, 0, new Plain(), null);
    exported.add(object);
    byte[] call = CallBytes.callWith(object);
    LiveReference known = LiveReferenceScan.scan(call, 0, call.length).get(0);
    assertThat(known.ownFactory()).isTrue();
    local = new EndpointId(known.host(), known.port());
    crosses(List.of(object), 1);
  }

  @Test
  void theArrayOfAMarshalledObjectIsMadeAsLongAsItsStream() throws Exception {
    Remote stub = export();
    Remote marshalled = (Remote) RemoteStubs.stubOf(stub);
    MarshalledObject<?> inner = new MarshalledObject<>(new Object[] {marshalled, "between"});
    crosses(new Object[] {new MarshalledObject<>(List.of(inner, marshalled)), "behind"}, 2);

    byte[] after = whole(CallBytes.callWith(inner), from(local, GATEWAY));
    Object[] held = (Object[]) ((MarshalledObject<?>) read(after)).get();
    assertThat(held[0].toString()).contains(GATEWAY.host());
    assertThat(held[1]).isEqualTo("between");
  }

  @Test
  void bytesOfAnotherKindThatHoldAStubAreLeftAlone() throws Exception {
    byte[] blob = CallBytes.callWith(export());
    byte[] call = CallBytes.callWith(new Object[] {blob});
    assertThat(whole(call, from(local, GATEWAY))).isEqualTo(call);
  }

  @Test
  void behindUnknownDataReferencesAreFoundByTheirPatternWhereTheEndIsKnown() throws Exception {
    Remote stub = export();
    Object argument = new Object[] {new Odd(stub), stub, new Odd(export())};
    byte[] before = CallBytes.callWith(argument);
    byte[] after = whole(before, from(local, GATEWAY));

    assertThat(endpoints(after)).hasSize(2).containsOnly(GATEWAY);
    assertThat(inPieces(before, from(local, GATEWAY), true)).isEqualTo(after);
    assertThat(whole(after, from(GATEWAY, local))).isEqualTo(before);
    assertThat(((Object[]) read(after))[1].toString()).contains(GATEWAY.host());

    // nothing is held that might be the last there is
    assertThat(inPieces(before, from(local, GATEWAY), false)).isEqualTo(before);
  }

  @Test
  void aStreamOfItsOwnBehindUnknownDataIsRefusedBecauseItsLengthCannotBeMadeAnew()
      throws Exception {
    Remote stub = (Remote) RemoteStubs.stubOf(export());
    byte[] call = CallBytes.callWith(new Odd(new MarshalledObject<>(stub)));
    assertThatThrownBy(() -> whole(call, from(local, GATEWAY)))
        .isExactlyInstanceOf(IOException.class)
        .hasMessageContaining("Externalizable");
    assertThat(whole(call, NOWHERE)).isEqualTo(call);
  }

  @Test
  void aRefusedCrossingPassesOn() throws Exception {
    byte[] call = CallBytes.callWith(export());
    assertThatThrownBy(
            () ->
                whole(
                    call,
                    (host, port, object) -> {
                      throw new StreamCorruptedException("no port");
                    }))
        .hasMessage("no port");
  }

  @Test
  void aLongMessageIsNotKept() throws Exception {
    Remote stub = export();
    byte[] before =
        CallBytes.call(
            out -> {
              for (int i = 0; i < 300; i++) {
                out.writeObject(new byte[10_000]);
              }
              out.writeObject(RemoteStubs.stubOf(stub));
            });
    ReferenceRewriter rewriter = ReferenceRewriter.ofCall(from(local, GATEWAY), false);
    ByteArrayOutputStream passed = new ByteArrayOutputStream();
    for (int at = 0; at < before.length; at += 5_000) {
      passed.writeBytes(rewriter.more(before, at, Math.min(5_000, before.length - at), false));
      assertThat(rewriter.heldBytes()).isLessThan(60_000);
    }
    assertThat(endpoints(passed.toByteArray())).containsExactly(GATEWAY);
  }

  @Test
  void aReturnOfNothingAndWhatIsNoMessagePassAsTheyAre() throws Exception {
    byte[] nothing = CallBytes.normalReturn(out -> {});
    for (byte[] message : List.of(nothing, new byte[] {1, 2, 3}, Arrays.copyOf(nothing, 9))) {
      ReferenceRewriter rewriter = ReferenceRewriter.ofReturn(NOWHERE, true);
      assertThat(rewriter.more(message, 0, message.length, true)).isEqualTo(message);
    }
    ReferenceRewriter rewriter = ReferenceRewriter.ofReturn(NOWHERE, false);
    assertThat(rewriter.more(nothing, 0, nothing.length, false)).isEqualTo(nothing);
  }
}
