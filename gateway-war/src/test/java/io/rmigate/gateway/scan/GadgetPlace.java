package io.rmigate.gateway.scan;

import io.rmigate.gateway.scan.Gadgets.Gadget;
import io.rmigate.gateway.scan.shape.Shape;
import io.rmigate.protocol.jrmp.StreamClass.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Where in a message a gadget stands. */
enum GadgetPlace {
  ARGUMENT {
    @Override
    byte[] message(Gadget gadget) {
      return HandWritten.call().raw(gadget.body().behind(0)).toByteArray();
    }
  },

  SECOND_ARGUMENT {
    @Override
    byte[] message(Gadget gadget) {
      HandWritten call = HandWritten.call().string("first").block((byte) 1, (byte) 2);
      return call.raw(gadget.body().behind(1)).toByteArray();
    }
  },

  LIST {
    @Override
    byte[] message(Gadget gadget) {
      HandWritten call = HandWritten.call();
      call.object().descriptor(Bombs.shape("java.util.ArrayList")).nothing().data();
      call.int32(2).block(Bombs.size(2)).string("a");
      return call.raw(gadget.body().behind(call.handles())).end().toByteArray();
    }
  },

  MAP {
    @Override
    byte[] message(Gadget gadget) {
      HandWritten call = HandWritten.call();
      call.object().descriptor(Bombs.shape("java.util.HashMap")).nothing().data();
      call.int32(0x3F400000).int32(12).block(Bombs.size(16, 1)).string("key");
      return call.raw(gadget.body().behind(call.handles())).end().toByteArray();
    }
  },

  /** Of a class that everybody uses. */
  ANNOTATION {
    @Override
    byte[] message(Gadget gadget) {
      Shape integer = Bombs.shape("java.lang.Integer");
      HandWritten call = HandWritten.call().object();
      call.unannotated(
          integer.name(), integer.serialVersionUid(), HandWritten.flags(integer), integer.fields());
      call.raw(gadget.body().behind(call.handles())).end();
      return call.descriptor(Bombs.shape("java.lang.Number")).nothing().int32(1).toByteArray();
    }
  },

  PROXY_ANNOTATION {
    @Override
    byte[] message(Gadget gadget) {
      HandWritten call = HandWritten.call().object();
      call.unannotatedProxy("java.lang.Comparable");
      call.raw(gadget.body().behind(call.handles())).end();
      return endOfProxy(call);
    }
  },

  /** An object of nothing else than a proxy that claims to be this, too. */
  PROXY_INTERFACES {
    @Override
    byte[] message(Gadget gadget) {
      List<String> names = new ArrayList<>(List.of("java.lang.Comparable"));
      names.addAll(gadget.classes());
      HandWritten call = HandWritten.call().object();
      call.proxy(names.toArray(String[]::new));
      return endOfProxy(call);
    }

    @Override
    boolean onlyNames() {
      return true;
    }
  },

  /** RemoteObject has no fields, and its reader takes the bytes of these as an object. */
  LYING_DESCRIPTOR {
    @Override
    byte[] message(Gadget gadget) {
      HandWritten hidden = HandWritten.bytes().block((byte) 0, (byte) 0);
      hidden.raw(gadget.body().behind(3));
      int longs = (hidden.length() + Long.BYTES - 1) / Long.BYTES;
      List<Field> fields =
          IntStream.range(0, longs).mapToObj(i -> new Field("f" + i, "J")).toList();
      Shape remote = Bombs.shape(Stubs.REMOTE_OBJECT);
      HandWritten call = HandWritten.call();
      call.object()
          .descriptor(Bombs.shape(Stubs.HANDLER))
          .descriptor(remote.name(), remote.serialVersionUid(), 3, fields)
          .nothing()
          .data();
      int padding = Long.BYTES * longs - hidden.length();
      return call.raw(hidden.toByteArray()).raw(new byte[padding]).end().toByteArray();
    }

    @Override
    boolean hides() {
      return true;
    }
  },

  MARSHALLED_OBJECT {
    @Override
    byte[] message(Gadget gadget) {
      byte[] stream =
          HandWritten.bytes().hex("aced0005").raw(gadget.body().behind(0)).toByteArray();
      HandWritten call = HandWritten.call();
      call.object().descriptor(Bombs.shape("java.rmi.MarshalledObject")).nothing().data();
      call.int32(13).nothing();
      call.array().descriptor("[B", 0xacf317f8060854e0L, 2, List.of()).nothing().data();
      return call.int32(stream.length).raw(stream).toByteArray();
    }
  },

  REPLY {
    @Override
    byte[] message(Gadget gadget) {
      return reply(1).raw(gadget.body().behind(0)).toByteArray();
    }
  },

  /** In a field of one that is allowed. */
  EXCEPTION {
    @Override
    byte[] message(Gadget gadget) {
      HandWritten reply = reply(2);
      reply
          .object()
          .descriptor(Bombs.shape("javax.naming.NamingException"))
          .descriptor(Bombs.shape("java.lang.Exception"))
          .descriptor(Bombs.shape("java.lang.Throwable"))
          .nothing()
          .data();
      reply.nothing().nothing().nothing().nothing().end(); // of Throwable
      reply.nothing().nothing().raw(gadget.body().behind(reply.handles()));
      return reply.nothing().toByteArray();
    }
  };

  abstract byte[] message(Gadget gadget);

  /** Whether only a reader with the receiver's classes can see the gadget. */
  boolean hides() {
    return false;
  }

  /** Whether there is nothing but its name to be seen. */
  boolean onlyNames() {
    return false;
  }

  /** Whether the gadget is one there: the name of a class that everybody may send is none. */
  boolean fits(Gadget gadget) {
    return !(onlyNames() && Gadgets.isOfPlace(gadget));
  }

  /** Whether reading a message with the gadget at this place runs its code. */
  boolean setsOff(Gadget gadget) {
    // Validation comes when all has been read, which a lie that is found out prevents.
    return gadget.does() && !onlyNames() && !(hides() && gadget.name().startsWith("validation"));
  }

  /** Whether it is in what servers say, and not in a Call. */
  boolean isOfReplies() {
    return this == REPLY || this == EXCEPTION;
  }

  private static byte[] endOfProxy(HandWritten call) {
    call.descriptor(Bombs.shape("java.lang.reflect.Proxy")).nothing();
    return call.nothing().toByteArray(); // no handler
  }

  private static HandWritten reply(int kind) {
    return HandWritten.bytes().hex("51aced0005770f").raw((byte) kind).raw(new byte[14]);
  }
}
