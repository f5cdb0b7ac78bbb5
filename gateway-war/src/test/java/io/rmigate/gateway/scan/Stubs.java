package io.rmigate.gateway.scan;

import io.rmigate.protocol.jrmp.CallBytes;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/** Calls whose argument is a stub, or looks like one. */
final class Stubs {
  static final String HANDLER = "java.rmi.server.RemoteObjectInvocationHandler";
  static final String REMOTE_OBJECT = "java.rmi.server.RemoteObject";

  /** The block of a reference without a factory. */
  static byte[] reference(String host, int port) {
    return HandWritten.bytes()
        .utf("UnicastRef")
        .utf(host)
        .int32(port)
        .raw(new ObjIdentifier(7, 0, 0, (short) 0).encode())
        .hex("00")
        .toByteArray();
  }

  /** A proxy whose reference is this block. */
  static HandWritten proxy(byte[] block) {
    return proxyWith(out -> out.block(block));
  }

  static HandWritten proxyWithFactory(Consumer<HandWritten> factory) {
    return proxyWith(out -> referenceWithFactory(out, factory));
  }

  /** A reference in three pieces. */
  static void referenceWithFactory(HandWritten out, Consumer<HandWritten> factory) {
    out.block(
        HandWritten.bytes()
            .utf("UnicastRef2")
            .hex("01")
            .utf("inside.example")
            .int32(1099)
            .toByteArray());
    factory.accept(out);
    out.block(new byte[23]);
  }

  /** A proxy in whose handler this stands for a reference. */
  static HandWritten proxyWith(Consumer<HandWritten> ownData) {
    HandWritten call = HandWritten.call();
    call.object()
        .proxy("java.rmi.Remote", "com.example.Service")
        .descriptor(Bombs.shape("java.lang.reflect.Proxy"))
        .nothing()
        .data();
    call.object()
        .descriptor(Bombs.shape(HANDLER))
        .descriptor(Bombs.shape(REMOTE_OBJECT))
        .nothing()
        .data();
    ownData.accept(call);
    return call.end();
  }

  /** A call with {@code count} arguments that are stubs of the same kind. */
  static byte[] arguments(int count) {
    HandWritten call = HandWritten.call();
    write(call, count);
    return call.toByteArray();
  }

  /** A Return of an array of them. */
  static byte[] returned(int count) {
    HandWritten array = HandWritten.call();
    array.array().descriptor("[Ljava.lang.Object;", 1, 2, List.of()).nothing().data().int32(count);
    write(array, count);
    byte[] call = array.toByteArray();
    byte[] head = CallBytes.normalReturn(out -> {});
    byte[] contents =
        Arrays.copyOfRange(call, HandWritten.call().toByteArray().length, call.length);
    return HandWritten.bytes().raw(head).raw(contents).toByteArray();
  }

  private static void write(HandWritten out, int count) {
    int proxy = out.handles();
    out.object()
        .proxy("java.rmi.Remote", "com.example.Service")
        .descriptor(Bombs.shape("java.lang.reflect.Proxy"))
        .nothing()
        .data();
    int handler = out.handles();
    out.object()
        .descriptor(Bombs.shape(HANDLER))
        .descriptor(Bombs.shape(REMOTE_OBJECT))
        .nothing()
        .data();
    byte[] reference = reference("inside.example", 1099);
    out.block(reference).end();
    for (int i = 1; i < count; i++) {
      out.object().reference(proxy).data();
      out.object().reference(handler).data().block(reference).end();
    }
  }

  private Stubs() {}
}
