package io.rmigate.protocol.jrmp.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.testing.MarshalStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.rmi.Remote;
import java.rmi.server.RMIClientSocketFactory;
import java.rmi.server.UnicastRemoteObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Stubs as the JDK writes them tell their interfaces. */
class ReturnedProxiesTest {
  interface Reports extends Remote {}

  interface Audit extends Remote {}

  private static final class Both implements Reports, Audit {}

  private static final class One implements Reports {}

  /** Comes with each stub. */
  private static final class Plain implements RMIClientSocketFactory, Serializable {
    private static final long serialVersionUID = 1L;

    @Override
    public java.net.Socket createSocket(String host, int port) throws IOException {
      return new java.net.Socket(host, port);
    }
  }

  private final List<Remote> exported = new ArrayList<>();

  @AfterEach
  void unexport() throws Exception {
    for (Remote object : exported) {
      UnicastRemoteObject.unexportObject(object, true);
    }
  }

  @Test
  void eachStubTellsItsInterfacesHandlesIncluded() throws Exception {
    Remote both = export(new Both());
    Remote one = export(new One());
    Remote another = export(new One());
    byte[] message = reply(new Object[] {"text", both, one, List.of(another), one});

    Map<ObjIdentifier, List<String>> found = found(message, message.length);
    assertThat(found)
        .containsEntry(object(both), List.of(Reports.class.getName(), Audit.class.getName()))
        .containsEntry(object(one), List.of(Reports.class.getName()))
        .containsEntry(object(another), List.of(Reports.class.getName()))
        .hasSize(3);
  }

  @Test
  void aStubWithAFactoryOfItsOwnTellsThemToo() throws Exception {
    One servant = new One();
    exported.add(servant);
    Remote stub = UnicastRemoteObject.exportObject(servant, 0, new Plain(), null);
    byte[] message = reply(stub);
    assertThat(found(message, message.length))
        .containsExactly(Map.entry(object(stub), List.of(Reports.class.getName())));
  }

  @Test
  void aReturnMayComeInAnyPieces() throws Exception {
    Remote one = export(new One());
    byte[] message = reply(one);
    for (int piece : new int[] {1, 7, 50}) {
      assertThat(found(message, piece)).containsOnlyKeys(object(one));
    }
  }

  @Test
  void whatIsNoReturnOrTooLongTellsNothing() throws Exception {
    Remote one = export(new One());
    assertThat(found(new byte[100], 100)).isEmpty();
    byte[] message = reply(new Object[] {new byte[70_000], one});
    assertThat(found(message, 1000)).isEmpty();
    byte[] cut = java.util.Arrays.copyOf(reply(one), 80);
    assertThat(found(cut, cut.length)).isEmpty();
  }

  private Remote export(Remote servant) throws Exception {
    exported.add(servant);
    return UnicastRemoteObject.exportObject(servant, 0);
  }

  private static ObjIdentifier object(Remote stub) throws IOException {
    byte[] bytes = reply(stub);
    return LiveReferenceScan.scan(bytes, 0, bytes.length).get(0).object();
  }

  private static Map<ObjIdentifier, List<String>> found(byte[] message, int piece) {
    Map<ObjIdentifier, List<String>> found = new LinkedHashMap<>();
    ReturnedProxies proxies = new ReturnedProxies(found::put);
    for (int at = 0; at < message.length; at += piece) {
      proxies.onBytes(message, at, Math.min(piece, message.length - at));
    }
    return found;
  }

  private static byte[] reply(Object result) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(Jrmp.RETURN);
    try (ObjectOutputStream out = new MarshalStream(bytes)) {
      out.writeByte(Jrmp.NORMAL_RETURN);
      out.write(new byte[Jrmp.UID_BYTES]);
      out.writeObject(result);
    }
    return bytes.toByteArray();
  }
}
