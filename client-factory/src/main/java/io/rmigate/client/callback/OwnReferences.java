package io.rmigate.client.callback;

import io.rmigate.protocol.DestinationPatterns;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.message.ReferenceRewriter;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.rmi.server.UID;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * References to objects of this JVM, where they cross the tunnel: outward their endpoint becomes
 * that of the gateway, which is asked for a port at the first of them; when they come back it
 * becomes the local one again. So nothing else in the JVM sees the gateway's host: not its other
 * exports, its registries, or its JMX.
 *
 * <p>A reference is one of this JVM by the unique part of its ObjID, which a JVM makes once, and by
 * its port. Those of a registry have no such part, and are told by their host.
 *
 * <p>Thread-safe.
 */
public final class OwnReferences {
  private static final String LOCALHOST = "127.0.0.1";

  /** Property that makes the RMI runtime find the full name of the host, which may take long. */
  private static final String FULL_NAMES = "java.rmi.server.useLocalHostname";

  /** Asks the gateway to listen for an export. */
  @FunctionalInterface
  interface Opening {

    /**
     * The endpoint at which inner JVMs reach the export.
     *
     * @return empty when the gateway takes no callbacks
     * @throws IOException the gateway does not listen now
     */
    Optional<EndpointId> reach(OwnExport export) throws IOException;
  }

  private final CallbackSettings settings;
  private final ExportHost gatewayHosts;
  private final Opening opening;
  private final Map<Integer, OwnExport> byPort = new ConcurrentHashMap<>();

  /** Whether a reference of this JVM may have crossed. */
  private volatile boolean crossed;

  OwnReferences(CallbackSettings settings, ExportHost gatewayHosts, Opening opening) {
    this.settings = settings;
    this.gatewayHosts = gatewayHosts;
    this.opening = opening;
  }

  void add(OwnExport export) {
    byPort.put(export.port(), export);
  }

  void remove(OwnExport export) {
    byPort.remove(export.port(), export);
  }

  /** Inner JVMs may have references from now on. */
  void onReached() {
    crossed = true;
  }

  /** A Call that leaves; null when no reference of this JVM can be in it. */
  public OutwardMessage outwardCall() {
    return byPort.isEmpty() ? null : new OutwardMessage(this, true);
  }

  /** A Return that leaves; null when no reference of this JVM can be in it. */
  OutwardMessage outwardReturn() {
    return byPort.isEmpty() ? null : new OutwardMessage(this, false);
  }

  /** A Call that comes; null when no reference of this JVM can be in it. */
  ReferenceRewriter inwardCall() {
    return comesBack() ? ReferenceRewriter.ofCall(this::inward, false) : null;
  }

  /** A Return that comes in pieces; null when no reference of this JVM can be in it. */
  public ReferenceRewriter inwardReturn() {
    return comesBack() ? ReferenceRewriter.ofReturn(this::inward, false) : null;
  }

  /** A Return that has come as a whole. */
  public byte[] inward(byte[] message) throws IOException {
    return comesBack()
        ? ReferenceRewriter.ofReturn(this::inward, true).more(message, 0, message.length, true)
        : message;
  }

  private boolean comesBack() {
    return crossed && settings.bringsBack();
  }

  /** The export that a reference names; null if it is none of this JVM's. */
  private OwnExport exportOf(String host, int port, Optional<ObjIdentifier> object) {
    OwnExport export = byPort.get(port);
    if (export == null) {
      return null;
    }
    boolean ours =
        object.filter(id -> id.unique() != 0).isPresent()
            ? object.get().unique() == ThisJvm.UNIQUE
            : isThisHost(host);
    return ours ? export : null;
  }

  /** The endpoint at which inner JVMs reach the object; empty when it is not of this JVM. */
  Optional<EndpointId> outward(String host, int port, Optional<ObjIdentifier> object)
      throws IOException {
    OwnExport export = exportOf(host, port, object);
    if (export == null) {
      return Optional.empty();
    }
    export.named(host);
    return opening.reach(export);
  }

  private Optional<EndpointId> inward(String host, int port, Optional<ObjIdentifier> object) {
    if (!gatewayHosts.isOurs(host) || isOfAnotherJvm(object)) {
      return Optional.empty();
    }
    return byPort.values().stream()
        .filter(export -> export.isReachedAt(port))
        .findAny()
        .map(
            export ->
                new EndpointId(export.host() == null ? localHost() : export.host(), export.port()));
  }

  /** The gateway may have given a port that this JVM has lost to another one. */
  private static boolean isOfAnotherJvm(Optional<ObjIdentifier> object) {
    return object.filter(id -> id.unique() != 0 && id.unique() != ThisJvm.UNIQUE).isPresent();
  }

  // This machine.

  /**
   * What a JVM that does not know its host is to take for it (JRMP.md 2.6); empty where it is to
   * take the gateway's.
   */
  public Optional<String> suggestedHost() {
    return settings.rewritesReferences() ? Optional.of(localHost()) : Optional.empty();
  }

  /**
   * Where this JVM reaches an endpoint of its own, at a port where it listens, without the tunnel.
   *
   * @return empty when that host is not this one
   */
  public Optional<String> reachedLocally(String host) {
    if (!settings.rewritesReferences() || !isThisHost(host)) {
      return Optional.empty();
    }
    boolean isAddress = DestinationPatterns.isLoopback(host) || isNamedByTheSystem(host);
    return Optional.of(isAddress ? host : LOCALHOST);
  }

  /**
   * Looked up once, as the RMI runtime does: where DNS is slow each connection would wait for it.
   */
  private static final class LocalAddress {
    static final String TEXT = find();

    private static String find() {
      try {
        return InetAddress.getLocalHost().getHostAddress();
      } catch (UnknownHostException unknown) {
        return LOCALHOST;
      }
    }
  }

  /** The host that the RMI runtime writes into references, as far as is known. */
  private static String localHost() {
    String named = System.getProperty(ExportHost.PROPERTY);
    if (named != null) {
      return named;
    }
    return LocalAddress.TEXT;
  }

  private static boolean isThisHost(String host) {
    return DestinationPatterns.isLoopback(host)
        || host.equalsIgnoreCase(System.getProperty(ExportHost.PROPERTY))
        || isNamedByTheSystem(host);
  }

  private static boolean isNamedByTheSystem(String host) {
    try {
      InetAddress local = InetAddress.getLocalHost();
      return host.equals(local.getHostAddress())
          || host.equalsIgnoreCase(local.getHostName())
          || (Boolean.getBoolean(FULL_NAMES)
              && host.equalsIgnoreCase(local.getCanonicalHostName()));
    } catch (UnknownHostException unknown) {
      return false;
    }
  }

  /** Made when it is first asked, which is when an object is exported. */
  private static final class ThisJvm {
    /** The unique part of all UIDs that this JVM makes. */
    static final int UNIQUE = unique();

    private static int unique() {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try {
        new UID().write(new DataOutputStream(bytes));
      } catch (IOException impossible) {
        throw new UncheckedIOException(impossible);
      }
      return ByteBuffer.wrap(bytes.toByteArray()).getInt();
    }
  }
}
