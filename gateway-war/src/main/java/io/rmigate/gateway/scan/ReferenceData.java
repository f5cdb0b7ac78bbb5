package io.rmigate.gateway.scan;

import io.rmigate.gateway.scan.Finding.Kind;
import io.rmigate.protocol.jrmp.message.LiveReference;
import io.rmigate.protocol.jrmp.message.ReferenceBlock;
import java.util.List;
import java.util.Optional;

/**
 * The own data of one {@code java.rmi.server.RemoteObject}, piece by piece. Its reader takes a
 * name, makes an object of the class {@code sun.rmi.server.<name>}, and lets that read on; so only
 * the two kinds that calls can go to are let pass, each exactly as it is written, and nothing
 * behind it.
 */
final class ReferenceData {
  private enum Next {
    BLOCK,
    FACTORY,
    REST,
    NOTHING
  }

  private final ScanNotes notes;
  private final String holder;
  private final ClassClaim around;
  private Next next = Next.BLOCK;
  private ReferenceBlock.WithFactory begun;
  private String factory = "";

  /**
   * @param around that of the object which holds it; null if there is none
   */
  ReferenceData(ScanNotes notes, String holder, ClassClaim around) {
    this.notes = notes;
    this.holder = holder;
    this.around = around;
  }

  void onBlock(byte[] buf, int at, int length) {
    if (next == Next.BLOCK) {
      ReferenceBlock block = ReferenceBlock.read(buf, at, length);
      if (block instanceof ReferenceBlock.Whole whole) {
        next = Next.NOTHING;
        tell(whole.reference(), at);
      } else if (block instanceof ReferenceBlock.WithFactory withFactory) {
        next = Next.FACTORY;
        begun = withFactory;
      } else if (block instanceof ReferenceBlock.Other other) {
        next = Next.NOTHING;
        boolean known =
            other.kind().equals(LiveReference.UNICAST_REF)
                || other.kind().equals(LiveReference.UNICAST_REF2);
        notes.find(known ? Kind.ODD_REFERENCE : Kind.UNKNOWN_REFERENCE_KIND, other.kind(), at);
      }
    } else if (next == Next.REST) {
      next = Next.NOTHING;
      Optional<LiveReference> whole = begun.completed(buf, at, length);
      whole.ifPresentOrElse(
          reference -> tell(reference, at),
          () -> notes.find(Kind.ODD_REFERENCE, "no ObjID behind a factory", at));
    } else {
      odd(at);
    }
  }

  /**
   * An object, complete.
   *
   * @param type the name of its class; the word {@code null} for null, and another word that is no
   *     name for an element without a class
   */
  void onObject(String type, int at) {
    if (next == Next.FACTORY) {
      next = Next.REST;
      factory = type;
    } else {
      odd(at);
    }
  }

  /** Ends the data of the reference; incomplete data are a finding. */
  void onEnd(int at) {
    if (next != Next.NOTHING) {
      odd(at);
    }
  }

  private void odd(int at) {
    next = Next.NOTHING;
    notes.find(Kind.ODD_REFERENCE, holder, at);
  }

  private void tell(LiveReference reference, int at) {
    List<String> interfaces = around == null ? List.of() : around.interfaces();
    notes.add(new SeenReference(reference, holder, interfaces, factory), at);
  }
}
