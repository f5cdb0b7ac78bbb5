package io.rmigate.protocol.jrmp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.jrmp.MessageEnd.Complete;
import io.rmigate.protocol.jrmp.MessageEnd.Truncated;
import io.rmigate.protocol.jrmp.message.CallHeader;
import io.rmigate.protocol.jrmp.message.DgcCall;
import io.rmigate.protocol.jrmp.message.RegistryCall;
import io.rmigate.protocol.jrmp.message.RegistryOperation;
import java.io.EOFException;
import java.rmi.dgc.Lease;
import java.rmi.dgc.VMID;
import java.rmi.server.ObjID;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is read of single messages. */
class JrmpMessagesTest {
  private static final byte[] LOOKUP = bytes(GoldenMessages.LOOKUP_SAMPLE);
  private static final byte[] V = bytes(GoldenMessages.V);
  private static final byte[] DIRTY = bytes(GoldenMessages.DIRTY);

  @Test
  void goldenMessagesEndAtTheirLastByteAndNotBefore() {
    for (byte[] message :
        List.of(LOOKUP, V, DIRTY, bytes(GoldenMessages.PING), bytes(GoldenMessages.DGC_ACK))) {
      assertThat(MessageGrammar.endOfRequest(message, 0, message.length))
          .isEqualTo(new Complete(message.length));
      for (int n = 0; n < message.length; n++) {
        MessageEnd end = MessageGrammar.endOfRequest(Arrays.copyOf(message, n), 0, n);
        assertThat(end)
            .as("%d bytes", n)
            .isIn(Truncated.INSTANCE, new Complete(n)); // Complete between arguments
        if (n < 41) {
          assertThat(end).isEqualTo(Truncated.INSTANCE);
        }
      }
    }
  }

  @Test
  void theHeaderOfACallIsReadFromShortAndLongBlocks() {
    CallHeader expected =
        new CallHeader(
            new ObjIdentifier(0x3e76621d34b9fc03L, 0x9f1ee393, 0x000001a1fbb4c5d8L, (short) 0x800b),
            -1,
            0x9c9e6b1308366ddaL);
    assertThat(CallHeader.decode(V, 0, V.length)).contains(expected);
    byte[] longBlock = bytes(GoldenMessages.V.replace("7722", "7a00000122") + "00".repeat(0x100));
    assertThat(CallHeader.decode(longBlock, 0, longBlock.length)).contains(expected);
    assertThat(MessageGrammar.endOfRequest(longBlock, 0, longBlock.length))
        .isEqualTo(new Complete(longBlock.length));
    for (int n = 0; n < V.length; n++) {
      assertThat(CallHeader.decode(Arrays.copyOf(V, n), 0, n)).isEmpty();
    }
    assertThat(CallHeader.decode(new byte[60], 0, 60)).isEmpty();
  }

  @Test
  void objectIdentifiersSurviveTheRoundTrip() {
    byte[] raw = bytes("3e76621d34b9fc039f1ee393000001a1fbb4c5d8800b");
    assertThat(ObjIdentifier.decode(raw, 0).encode()).isEqualTo(raw);
    assertThat(ObjIdentifier.DGC.encode()).hasSize(22).startsWith(0, 0, 0, 0, 0, 0, 0, 2, 0);
    assertThat(ObjIdentifier.REGISTRY).hasToString("0");
  }

  @Test
  void endpointsSurviveTheRoundTrip() throws Exception {
    EndpointId endpoint = new EndpointId("ünner.example", 0);
    byte[] encoded = endpoint.encode();
    assertThat(EndpointId.decode(encoded, 0, encoded.length)).isEqualTo(endpoint);
    for (int n = 0; n < encoded.length; n++) {
      int length = n;
      assertThatThrownBy(() -> EndpointId.decode(encoded, 0, length))
          .isInstanceOf(EOFException.class);
    }
    assertThatThrownBy(() -> EndpointId.decode(bytes("0001ff00000000"), 0, 7))
        .isInstanceOf(ProtocolViolationException.class);
  }

  @Test
  void aLookupNamesOneString() throws Exception {
    assertThat(RegistryCall.decode(LOOKUP, 0, LOOKUP.length))
        .contains(new RegistryCall(RegistryOperation.LOOKUP, Optional.of("sample")));
    assertThat(RegistryCall.decode(V, 0, V.length)).isEmpty();
    byte[] byHash =
        registryCall(-1, RegistryOperation.LOOKUP.methodHash(), out -> out.writeObject("x"));
    assertThat(RegistryCall.decode(byHash, 0, byHash.length))
        .contains(new RegistryCall(RegistryOperation.LOOKUP, Optional.of("x")));
    byte[] nothing =
        registryCall(2, RegistryOperation.INTERFACE_HASH, out -> out.writeObject(null));
    assertThat(RegistryCall.decode(nothing, 0, nothing.length))
        .contains(new RegistryCall(RegistryOperation.LOOKUP, Optional.empty()));
  }

  @Test
  void otherArgumentsThanTheOperationsAreAViolation() {
    List<CallBytes.Arguments> wrong =
        List.of(
            out -> {},
            out -> out.writeObject(1),
            out -> out.writeObject("x".repeat(70_000)),
            out -> out.writeObject(new String[] {"x"}),
            out -> out.writeInt(1),
            out -> {
              out.writeInt(1);
              out.writeObject("x");
            },
            out -> {
              out.writeObject("x");
              out.writeObject("y");
            },
            out -> {
              out.writeObject("x");
              out.writeObject(java.io.ObjectStreamClass.lookup(Integer.class));
            },
            out -> {
              out.writeObject("x");
              out.writeInt(1);
            },
            out -> {
              out.reset();
              out.writeObject("x");
            });
    for (CallBytes.Arguments arguments : wrong) {
      byte[] call = registryCall(2, RegistryOperation.INTERFACE_HASH, arguments);
      assertThatThrownBy(() -> RegistryCall.decode(call, 0, call.length))
          .isInstanceOf(ProtocolViolationException.class);
    }
    byte[] two = MessageGrammarCorpusTest.join(LOOKUP, LOOKUP);
    assertThatThrownBy(() -> RegistryCall.decode(two, 0, two.length))
        .isInstanceOf(ProtocolViolationException.class);
  }

  @Test
  void aDirtyIsReadWithItsLease() throws Exception {
    VmIdentifier client =
        new VmIdentifier(0x72ccb22fe1eb7bc5L, 0x3402060b, 0x000001a1fbb5c700L, (short) 0x8003);
    assertThat(DgcCall.decode(DIRTY, 0, DIRTY.length))
        .contains(
            new DgcCall.Dirty(
                List.of(
                    new ObjIdentifier(
                        0xcabd2e0892dddd04L, 0x3402060b, 0x000001a1fbb5c700L, (short) 0x8001)),
                Long.MIN_VALUE,
                Optional.of(client),
                600_000));
    assertThat(DgcCall.decode(LOOKUP, 0, LOOKUP.length)).isEmpty();
  }

  @Test
  void dgcCallsAreReadWithAnnotationsAndSharedParts() throws Exception {
    ObjID id = new ObjID();
    VMID vmId = new VMID();
    ObjID[] ids = {id, new ObjID(), id, new ObjID(7)};
    for (String codebase : new String[] {null, "http://a/ http://b/"}) {
      byte[] clean =
          dgcCall(
              codebase,
              0,
              out -> {
                out.writeObject(ids);
                out.writeLong(5);
                out.writeObject(vmId);
                out.writeBoolean(true);
              });
      DgcCall.Clean read = (DgcCall.Clean) DgcCall.decode(clean, 0, clean.length).orElseThrow();
      assertThat(read.objects()).hasSize(4);
      assertThat(read.objects().get(0)).isEqualTo(read.objects().get(2));
      assertThat(read.objects().get(3)).isEqualTo(new ObjIdentifier(7, 0, 0, (short) 0));
      assertThat(read.sequence()).isEqualTo(5);
      assertThat(read.strong()).isTrue();
      byte[] dirty =
          dgcCall(
              codebase,
              1,
              out -> {
                out.writeObject(new ObjID[0]);
                out.writeLong(6);
                out.writeObject(new Lease(vmId, 9));
              });
      assertThat(DgcCall.decode(dirty, 0, dirty.length))
          .contains(new DgcCall.Dirty(List.of(), 6, Optional.of(read.client()), 9));
      byte[] anonymous =
          dgcCall(
              codebase,
              1,
              out -> {
                out.writeObject(new ObjID[0]);
                out.writeLong(6);
                out.writeObject(new Lease(null, 9));
              });
      assertThat(DgcCall.decode(anonymous, 0, anonymous.length))
          .contains(new DgcCall.Dirty(List.of(), 6, Optional.empty(), 9));
    }
  }

  @Test
  void whatIsNoDgcCallOfTheJdkIsAViolation() {
    VMID vmId = new VMID();
    List<CallBytes.Arguments> wrong =
        List.of(
            out -> {},
            out -> {
              out.writeObject(null);
              out.writeLong(6);
              out.writeObject(new Lease(vmId, 9));
            },
            out -> {
              out.writeObject(new ObjID[] {null});
              out.writeLong(6);
              out.writeObject(new Lease(vmId, 9));
            },
            out -> {
              out.writeObject(new Object[] {new ObjID()});
              out.writeLong(6);
              out.writeObject(new Lease(vmId, 9));
            },
            out -> {
              out.writeObject(new ObjID[0]);
              out.writeInt(6);
              out.writeObject(new Lease(vmId, 9));
            },
            out -> {
              out.writeObject(new ObjID[0]);
              out.writeLong(6);
              out.writeObject(vmId);
            },
            out -> {
              out.writeObject(new ObjID[0]);
              out.writeLong(6);
              out.writeObject(new Lease(vmId, 9));
              out.writeObject("more");
            },
            out -> {
              ObjID[] many = new ObjID[10_001];
              Arrays.fill(many, new ObjID());
              out.writeObject(many);
              out.writeLong(6);
              out.writeObject(new Lease(vmId, 9));
            });
    for (CallBytes.Arguments arguments : wrong) {
      byte[] call = dgcCall(null, 1, arguments);
      assertThatThrownBy(() -> DgcCall.decode(call, 0, call.length))
          .isInstanceOf(ProtocolViolationException.class);
    }
    byte[] lying = bytes(GoldenMessages.DIRTY.replace("0f12700dbf364f12", "0f12700dbf364f13"));
    assertThatThrownBy(() -> DgcCall.decode(lying, 0, lying.length))
        .isInstanceOf(ProtocolViolationException.class);
    byte[] byHash = bytes(GoldenMessages.DIRTY.replace("00000001f6b6", "fffffffff6b6"));
    assertThatThrownBy(() -> DgcCall.decode(byHash, 0, byHash.length))
        .isInstanceOf(ProtocolViolationException.class);
  }

  private static byte[] registryCall(int operation, long hash, CallBytes.Arguments arguments) {
    return wellKnown(ObjIdentifier.REGISTRY, null, operation, hash, arguments);
  }

  private static byte[] dgcCall(String codebase, int operation, CallBytes.Arguments arguments) {
    return wellKnown(ObjIdentifier.DGC, codebase, operation, DgcCall.INTERFACE_HASH, arguments);
  }

  private static byte[] wellKnown(
      ObjIdentifier id, String codebase, int operation, long hash, CallBytes.Arguments arguments) {
    return CallBytes.message(
        Jrmp.CALL,
        codebase,
        1,
        out -> {
          out.write(id.encode());
          out.writeInt(operation);
          out.writeLong(hash);
          arguments.writeTo(out);
        });
  }

  private static byte[] bytes(String hex) {
    return HexFormat.of().parseHex(hex);
  }
}
