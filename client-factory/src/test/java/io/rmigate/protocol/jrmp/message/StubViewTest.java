package io.rmigate.protocol.jrmp.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.RemoteStubs;
import io.rmigate.testing.MarshalStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectOutputStream;
import java.rmi.Remote;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.RMIClientSocketFactory;
import java.rmi.server.RMISocketFactory;
import java.rmi.server.UnicastRemoteObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.rmi.ssl.SslRMIClientSocketFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Stubs as the JDK writes them tell what they are. */
class StubViewTest {
  interface Reports extends Remote {}

  private static final class Servant implements Reports {}

  private final List<Remote> exported = new ArrayList<>();

  @AfterEach
  void unexport() throws Exception {
    for (Remote object : exported) {
      UnicastRemoteObject.unexportObject(object, true);
    }
  }

  @Test
  void dynamicProxyTellsInterfacesAndEndpoint() throws Exception {
    Remote stub = export(null);

    StubView view = StubView.ofStream(serialized(stub, null)).orElseThrow();

    assertThat(view.stubClass()).isEmpty();
    assertThat(view.interfaces()).containsExactly(Reports.class.getName());
    assertThat(view.factory()).isEmpty();
    assertThat(view.codebases()).isEmpty();
    assertThat(view.reference().port()).isPositive();
    assertThat(stub.toString()).contains(view.reference().host() + ":" + view.reference().port());
  }

  @Test
  void socketFactoryIsTold() throws Exception {
    Remote stub = export(new SslRMIClientSocketFactory());

    StubView view = StubView.ofStream(serialized(stub, null)).orElseThrow();

    assertThat(view.factory()).contains("javax.rmi.ssl.SslRMIClientSocketFactory");
    assertThat(view.reference().ownFactory()).isTrue();
  }

  @Test
  void codebaseIsToldAndNotTakenForAnythingElse() throws Exception {
    StubView view =
        StubView.ofStream(serialized(export(null), "http://build.example/a.jar")).orElseThrow();

    assertThat(view.codebases()).containsExactly("http://build.example/a.jar");
    assertThat(view.interfaces()).containsExactly(Reports.class.getName());
  }

  /** A gateway has dropped it. */
  @Test
  void emptyCodebaseIsNone() throws Exception {
    assertThat(StubView.ofStream(serialized(export(null), "")).orElseThrow().codebases()).isEmpty();
  }

  @Test
  void staticStubTellsItsClass() throws Exception {
    Registry registry = LocateRegistry.createRegistry(0);
    exported.add(registry);

    StubView view = StubView.ofStream(serialized(RemoteStubs.stubOf(registry), null)).orElseThrow();

    assertThat(view.stubClass()).contains("sun.rmi.registry.RegistryImpl_Stub");
    assertThat(view.interfaces()).isEmpty();
    assertThat(view.reference().object()).isEqualTo(ObjIdentifier.REGISTRY);
  }

  @Test
  void whatIsNoStubIsNone() throws Exception {
    assertThat(StubView.ofStream(serialized("text", null))).isEmpty();
    assertThat(StubView.ofStream(new byte[] {1, 2, 3})).isEmpty();
    byte[] half = serialized(export(null), null);
    assertThat(StubView.ofStream(java.util.Arrays.copyOf(half, half.length / 2))).isEmpty();
  }

  @Test
  void exceptionTellsItsMessagesButNotItsStackTrace() {
    byte[] bytes =
        ExceptionalReturn.encode(
            new java.rmi.ConnectException(
                "Connection refused to host: inner",
                new java.net.ConnectException("not permitted")));

    Optional<ThrownView> view = ThrownView.of(bytes, 0, bytes.length);

    assertThat(view)
        .hasToString(
            "Optional[java.rmi.ConnectException: Connection refused to host: inner (not permitted)]");
    assertThat(ThrownView.of(new byte[] {0x51}, 0, 1)).isEmpty();
  }

  private Remote export(RMIClientSocketFactory factory) throws Exception {
    Servant servant = new Servant();
    exported.add(servant);
    return factory == null
        ? UnicastRemoteObject.exportObject(servant, 0)
        : UnicastRemoteObject.exportObject(
            servant, 0, factory, RMISocketFactory.getDefaultSocketFactory());
  }

  private static byte[] serialized(Object object, String codebase) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new MarshalStream(bytes, codebase)) {
      out.writeObject(object);
    }
    return bytes.toByteArray();
  }
}
