package io.rmigate.gateway.scan;

import io.rmigate.gateway.scan.SerialDataLayout.Hashed;

/**
 * A stream, an object or the annotation of a class that has begun and not ended, as {@link
 * StreamInspector} knows it. Kept for the next thing at that depth. Ten bytes of a stream are
 * enough for one of these. Confined to the scanning thread.
 */
final class OpenElement {
  /** Whether this is the annotation of a class, and no object. */
  boolean annotation;

  /**
   * Not 0: nothing is known of the data of its classes, and none of what follows but sizes changes.
   * {@link #FIELDS}: a class is being told that has no data of its own behind its fields; else
   * {@link #DATA}.
   */
  byte ordinary;

  /** Memory of an instance, with its place in the stack. */
  static final int BYTES = 56;

  static final byte DATA = 1;
  static final byte FIELDS = 2;

  /** The class of the element; null for a stream or an annotation. */
  ClassClaim type;

  /**
   * The class of its chain whose data are being told; null before the first, and where nothing is
   * known of them.
   */
  ClassClaim data;

  /**
   * Whether the contents of the element or of its data matter: see {@link
   * SerialDataLayout#isWatched}.
   */
  boolean watched;

  /** Objects of these data may be hashed. */
  boolean hashes;

  /** How the keys among them are told apart is counted: see {@link KeyChains}. */
  boolean chained;

  /** The data of its RemoteObject; null in any other class's. */
  ReferenceData reference;

  int handle;

  /** Objects of the data, or of the annotation, so far; negative for those in declared fields. */
  int objects;

  /** The data have begun with a block. */
  boolean blockSeen;

  /** The unfolded size of the element so far. */
  long size;

  /** Whether this is a URL, or holds one. */
  boolean holdsUrl;

  /** Whether this is a Calendar's zone, or in one. */
  boolean inZone;

  /** Another thing begins at this depth. */
  void begin(ClassClaim its, int itsHandle, boolean isInZone) {
    annotation = false;
    ordinary = 0;
    type = its;
    data = null;
    watched = isInZone;
    hashes = false;
    chained = false;
    reference = null;
    handle = itsHandle;
    objects = 0;
    blockSeen = false;
    size = 1;
    holdsUrl = false;
    inZone = isInZone;
  }

  /** The layout of the data that are being read. */
  SerialDataLayout own() {
    return data == null ? SerialDataLayout.NONE : data.own();
  }

  /** Whether an element in it belongs to a Calendar's zone. */
  boolean belongsToZone() {
    return inZone || (own() == SerialDataLayout.CALENDAR && objects >= 0);
  }

  /** Whether some objects in these data must be of one kind: see {@link ConditionalObjects}. */
  boolean isParticular() {
    return data != null && data.own().isParticular();
  }

  /** Whether the object with that number, from 0, of its own data is hashed. */
  boolean hashes(int number) {
    return hashes && ((number & 1) == 0 || own().hashed == Hashed.ALL);
  }

  /** The data of that class of its chain begin. */
  void tell(ClassClaim its) {
    SerialDataLayout own = its.own();
    data = own == SerialDataLayout.NONE ? null : its;
    watched = inZone || its.isWatched();
    hashes = own.hashed != Hashed.NOTHING;
    chained = false;
    holdsUrl |= own == SerialDataLayout.URL;
  }
}
