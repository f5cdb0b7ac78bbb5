package io.rmigate.gateway.scan;

import io.rmigate.gateway.scan.Finding.Kind;
import io.rmigate.protocol.jrmp.MessageEnd;
import io.rmigate.protocol.jrmp.StreamClass;
import io.rmigate.protocol.jrmp.StreamGrammar;
import io.rmigate.protocol.jrmp.StreamObserver;

/**
 * The streams in one stream, which stand in the arrays of its {@link java.rmi.MarshalledObject}s,
 * one after the other: a message may have many small ones. Confined to the scanning thread.
 */
final class NestedStreams {
  private final ScanNotes notes;
  private final StreamGrammar grammar = new StreamGrammar();
  private final StreamInspector inspector;
  private final StreamObserver ofLocations = new LocationsOnly();

  /**
   * @param nesting streams around each
   */
  NestedStreams(KnownClasses classes, ScanNotes notes, int nesting) {
    this.notes = notes;
    this.inspector = new StreamInspector(classes, notes, nesting);
  }

  /** Where the classes of an object would come from. */
  void scanLocations(byte[] buf, int at, int length, int objectsAround) {
    scan(buf, at, length, objectsAround, ofLocations);
  }

  /** An object, and nothing else. */
  void scanObject(byte[] buf, int at, int length, int objectsAround) {
    if (scan(buf, at, length, objectsAround, inspector) && inspector.contents() != 1) {
      notes.find(Kind.ODD_NESTED_STREAM, "not one object", at);
    }
  }

  private boolean scan(byte[] buf, int at, int length, int objectsAround, StreamObserver observer) {
    int end = at + length;
    inspector.restart(objectsAround);
    inspector.in(buf, end);
    MessageEnd found = grammar.end(buf, at, length, observer);
    boolean whole = found instanceof MessageEnd.Complete complete && complete.end() == end;
    if (!whole) {
      notes.find(Kind.ODD_NESTED_STREAM, found.getClass().getSimpleName(), at);
    }
    return whole;
  }

  /** About as many bytes as are taken by what may still be referred to. */
  long rememberedBytes() {
    return inspector.rememberedBytes();
  }

  /** Finds all elements but strings and nulls. */
  private final class LocationsOnly implements StreamObserver {
    @Override
    public int mostFrames() {
      return inspector.mostFrames();
    }

    @Override
    public void onContent(int contentAt) {
      inspector.onContent(contentAt);
    }

    @Override
    public void onString(int handle, int stringAt, int length) {
      if (notes.dropsCodebases()) {
        inspector.dropString(stringAt, length);
      } else {
        notes.find(Kind.CODEBASE, "in a MarshalledObject", stringAt);
      }
    }

    @Override
    public void onReference(int handle) {
      if (notes.dropsCodebases()) {
        notes.dropReference(inspector.at());
      }
    }

    @Override
    public void onClassDescriptor(StreamClass descriptor) {
      notes.find(Kind.OBJECT_IN_ANNOTATION, "a class descriptor", inspector.at());
      inspector.onClassDescriptor(descriptor);
    }

    @Override
    public void onBlockData(int blockAt, int length) {
      notes.find(Kind.OBJECT_IN_ANNOTATION, "a block", blockAt);
    }
  }
}
