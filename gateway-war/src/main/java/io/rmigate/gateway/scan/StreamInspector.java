package io.rmigate.gateway.scan;

import io.rmigate.gateway.scan.Finding.Kind;
import io.rmigate.gateway.scan.SerialDataLayout.Size;
import io.rmigate.protocol.jrmp.MessageEnd;
import io.rmigate.protocol.jrmp.ReadSequence;
import io.rmigate.protocol.jrmp.StreamClass;
import io.rmigate.protocol.jrmp.StreamObserver;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Optional;

/**
 * Inspects one stream while it is parsed, and takes notes. The stack holds the elements that have
 * begun and not ended; at its bottom is the stream itself. Confined to the scanning thread.
 */
final class StreamInspector implements StreamObserver {
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

  private static final int FIRST_HANDLE = 0x7E0000;
  private static final int TC_BLOCKDATA = 0x77;
  private static final int TC_RESET = 0x79;
  private static final int TC_BLOCKDATALONG = 0x7A;
  private static final int FIRST_TYPE_CODE = 0x70;
  private static final int LAST_TYPE_CODE = 0x7E;
  private static final String BYTES = "[B";

  /** As of arrays: a reader's room for that many takes no more than 64 times what has come. */
  private static final int BELIEVED_ELEMENTS = 8;

  /**
   * Places of a table for each byte that may follow: four for an element at the least load factor.
   */
  private static final int PLACES_OF_A_BYTE = 4;

  /** Number of places of a table that are not counted, because their cost is negligible. */
  private static final int FREE_PLACES = 64;

  private static final int TC_STRING = 0x74;
  private static final int MAX_SHORT_TEXT_BYTES = 0xFFFF;

  /** Levels of a place that are told. */
  private static final int MOST_LEVELS = 8;

  /** Most messages are not nested deeper. */
  private static final int FEW_OPEN = 64;

  /** Up to this size a decimal number takes no longer to compare than others. */
  private static final int SHORT_DECIMAL = 8;

  /**
   * The unfolded size of an object that refers to one around it, where the hash code of the inner
   * one may ask the outer one for its own, and that may ask others: how many steps that takes is
   * not known before the outer one is complete. As a value it does no harm.
   */
  private static final long ENDLESS = 1L << 40;

  // Of most messages no more is needed; never written to.
  private static final ClassClaim[] NO_CLAIMS = {};
  private static final boolean[] NONE_ORDINARY = {};
  private static final KeyChains.Table[] NO_TABLES = {};
  private static final long[] NONE_AWAITED = {};
  private static final int[] NONE_DROPPED = {};

  private final KnownClasses classes;
  private final ScanNotes notes;

  /** Streams around this one. */
  private final int nesting;

  /** Objects around this stream. */
  private int depthAround;

  /** Null as long as no object has anything in it. */
  private UnfoldedSizes unfolding;

  /** Code of the latest value of java.time; 0 before its data. */
  private byte timeCode;

  /** By handle: which objects have an order among themselves; null as long as none have. */
  private OrderedKinds ordered;

  /** By handle: which objects are values of java.time; null as long as none are. */
  private BitSet times;

  /** Null as long as no object is a URL, and none is of a class that they know. */
  private ConditionalObjects particulars;

  /** An object was referred to while it was open: what it holds was not known at that moment. */
  private boolean cyclic;

  /** Whether the object that is reported next is a URL, or holds one. */
  private boolean holdsUrl;

  /** Whether the object that is reported next is a reference to an object that is still open. */
  private boolean refersToOpen;

  private ClassClaim[] claims = NO_CLAIMS;

  /** By descriptor: nothing is known of its data, or of a superclass's, beyond their shape. */
  private boolean[] ordinary = NONE_ORDINARY;

  /**
   * Where the data of an Externalizable may be taken for those of a class around it; null as long
   * as no object has primitives behind other data.
   */
  private PrimitivesBehind primitivesBehind;

  private OpenElement[] stack = new OpenElement[4];

  /** By depth: the keys of the element that is open there, where these are counted. */
  private KeyChains.Table[] tables = NO_TABLES;

  private int top;

  /** Contents of the stream itself so far, blocks included. */
  private int contents;

  /** The number of {@link #contents} that are objects. */
  private int topObjects;

  /** Index of what was told last, for findings; positions are told of some things only. */
  private int at;

  /** Long values of a message that comes in pieces; null for others. */
  private LongValues values;

  /** Handles of codebases that do not go on, in their order. */
  private int[] dropped = NONE_DROPPED;

  private int droppedCount;

  /** Scanner of the streams within this one; null until there is one. */
  private NestedStreams nested;

  private byte[] buf;

  /** End index of the bytes so far; collections must not claim elements behind it. */
  private int limit;

  /** The latest collection whose claim is not believed yet; null when all are. */
  private ClassClaim claimant;

  /** Where the first of these claims stands. */
  private int claimAt;

  /** Once so much has come all of them are believed. */
  private long believedFrom;

  /** Objects that the collections which are open claim to hold, and that are still to come. */
  private long awaited;

  /** Awaited elements, by depth: few messages have collections as deep as they have objects. */
  private long[] awaitedAt = NONE_AWAITED;

  /**
   * @param nesting streams around it
   */
  StreamInspector(KnownClasses classes, ScanNotes notes, int nesting) {
    this.classes = classes;
    this.notes = notes;
    this.nesting = nesting;
    stack[0] = new OpenElement();
  }

  /** Begins another stream, with this number of objects around it. */
  void restart(int around) {
    depthAround = around;
    contents = 0;
    topObjects = 0;
    at = 0;
    onReset();
    stack[0].size = 0;
  }

  /** Begins another message; no class stood in a message before. */
  void restart() {
    restart(0);
    if (values != null) {
      values.restart();
    }
  }

  /** Sets the array that holds the stream's bytes: those reported from now on, and earlier ones. */
  void in(byte[] array, int end) {
    if (buf != array) {
      nested = null; // or the old one stays for as long as what was found in it
      buf = array;
    }
    limit = end;
  }

  /** Allows arrays and long texts to come in pieces from now on. */
  void takePieces() {
    values = new LongValues(notes);
  }

  /** Notes on arguments and on long arrays and strings; null unless the message comes in pieces. */
  LongValues values() {
    return values;
  }

  /** Arrays that hold another stream do not come in pieces. */
  @Override
  public boolean takesPieces() {
    return values != null && !isIn(SerialDataLayout.MARSHALLED_OBJECT);
  }

  @Override
  public boolean takesPieces(long bytes) {
    boolean takes = takesPieces();
    if (takes) {
      values.announce(bytes);
    }
    return takes;
  }

  @Override
  public int mostFrames() {
    return notes.limits().frames();
  }

  /** The findings and figures of a message, of which this number of bytes has come. */
  ScanResult result(MessageEnd end, long messageBytes) {
    return notes.result(end, messageBytes, values == null ? 0 : values.stepsAhead());
  }

  /** Contents of the stream itself so far, blocks included. */
  int contents() {
    return contents;
  }

  /** Index of what was told last. */
  int at() {
    return at;
  }

  /** Objects of the stream itself so far, be they complete or not. */
  int topObjects() {
    return topObjects;
  }

  /** The classes of what is open, from the outermost; for people. */
  String place() {
    StringBuilder place = new StringBuilder();
    for (int level = 1; level <= top && level <= MOST_LEVELS; level++) {
      ClassClaim type = stack[level].type;
      if (type != null && !type.name().isEmpty()) {
        place.append(place.isEmpty() ? "in " : " > ").append(PlaceFinder.simple(type.name()));
      }
    }
    return top > MOST_LEVELS ? place + " > ..." : place.toString();
  }

  /** About as many bytes as are taken by what may still be referred to. */
  long rememberedBytes() {
    long inNested = nested == null ? 0 : nested.rememberedBytes();
    long ofSizes = unfolding == null ? 0 : unfolding.bytes();
    long ofTimes = times == null ? 0 : times.size() / Byte.SIZE;
    long ofStack = (long) Math.max(0, stack.length - FEW_OPEN) * OpenElement.BYTES;
    long ofDropped = (long) dropped.length * Integer.BYTES;
    return ofSizes
        + ofTimes
        + (ordered == null ? 0 : ordered.bytes())
        + (particulars == null ? 0 : particulars.bytes())
        + ofStack
        + ofDropped
        + inNested;
  }

  @Override
  public void onContent(int contentAt) {
    at = contentAt;
    contents++;
    boolean isSurplus = values != null && values.hasAllArguments(topObjects);
    int token = buf[contentAt];
    if (token != TC_BLOCKDATA && token != TC_BLOCKDATALONG && token != TC_RESET) {
      topObjects++;
    }
    if (isSurplus || (values != null && values.hasMoreObjects(topObjects))) {
      values.findSurplus(at);
    }
  }

  @Override
  public void onClassDescriptor(StreamClass descriptor) {
    count();
    int index = descriptor.index();
    if (index >= claims.length) {
      claims = Arrays.copyOf(claims, Math.max(index + 4, 2 * claims.length));
      ordinary = Arrays.copyOf(ordinary, claims.length);
    }
    ClassClaim claim = ClassClaim.of(descriptor, classes, notes, at);
    claims[index] = claim;
    Optional<StreamClass> superclass = descriptor.superclass();
    ordinary[index] =
        claim.own() == SerialDataLayout.NONE
            && !claim.isArray()
            && (superclass.isEmpty() || ordinary[superclass.get().index()]);
  }

  @Override
  public ReadSequence readSequence(StreamClass type) {
    ClassClaim claim = claim(type);
    if (top > 1
        && primitivesBehind != null
        && primitivesBehind.isExposed()
        && claim.sequence() != null) {
      notes.find(Kind.AMBIGUOUS_DATA, claim.name(), at);
    }
    return claim.sequence();
  }

  /**
   * A receiver without the class reads none of these bytes. Inside another object it looks here for
   * the next object of that; any other byte ends its reading.
   */
  @Override
  public void beginExternalRun(int runAt) {
    if (top > 1 && buf[runAt] >= FIRST_TYPE_CODE && buf[runAt] <= LAST_TYPE_CODE) {
      notes.find(Kind.AMBIGUOUS_DATA, stack[top].type.name(), runAt);
    }
  }

  private ClassClaim claim(StreamClass type) {
    return claims[type.index()];
  }

  @Override
  public void onDescriptorObject() {
    notes.find(Kind.IMPOSSIBLE_OBJECT, "java.io.ObjectStreamClass", at);
    child("a class descriptor", 1);
  }

  @Override
  public void onDescriptorReference(int handle) {
    onDescriptorObject();
  }

  @Override
  public void beginAnnotation(StreamClass descriptor) {
    push(null, stack[top].handle, false); // its own class has none that could be referred to
    stack[top].annotation = true;
  }

  private void awaitPrimitives(StreamClass type) {
    if (primitivesBehind == null && type.primitivesBehindData() != null) {
      primitivesBehind = new PrimitivesBehind();
    }
    if (primitivesBehind != null) {
      primitivesBehind.begin(top, type);
    }
  }

  @Override
  public void beginObject(int handle, StreamClass type) {
    count();
    ClassClaim claim = claim(type);
    boolean inZone = stack[top].watched && ZoneAndTime.checkObject(stack[top], claim, notes, at);
    if (ordinary[type.index()]) {
      push(claim, handle, inZone);
      awaitPrimitives(type);
      stack[top].ordinary = OpenElement.DATA;
      return;
    }
    if (claim.isNoObject()) {
      noObject(claim);
    }
    push(claim, handle, inZone);
    awaitPrimitives(type);
    if (claim.own() == SerialDataLayout.LOCALE) {
      notes.chains().locale();
    }
    if (claim.own().isTime()) {
      timeCode = 0;
      addTime(handle);
      stack[top].tell(claim); // external: its data are told without another word
    }
  }

  /** Its first byte says which class of java.time it is. */
  private void noteTimeCode(int dataAt, int length) {
    if (timeCode == 0 && length > 0 && isIn(SerialDataLayout.TIME)) {
      timeCode = buf[dataAt];
    }
  }

  private void noteOrder(int handle, ClassClaim type) {
    Object kind = kind(type);
    if (kind != null) {
      addOrdered(handle, kind);
    }
  }

  private void addOrdered(int handle, Object kind) {
    if (ordered == null) {
      ordered = new OrderedKinds();
    }
    ordered.add(handle - FIRST_HANDLE, kind);
  }

  private void addTime(int handle) {
    if (times == null) {
      times = new BitSet();
    }
    times.set(handle - FIRST_HANDLE);
  }

  /** A value of java.time, in most messages: without a place on the stack, either. */
  @Override
  public void onExternalObject(int handle, StreamClass type, int dataAt, int length) {
    ClassClaim claim = claim(type);
    if (!claim.own().isTime() || stack[top].watched) {
      StreamObserver.super.onExternalObject(handle, type, dataAt, length);
      return;
    }
    count();
    addTime(handle);
    at = dataAt;
    timeCode = length > 0 ? buf[dataAt] : 0;
    noteOrder(handle, claim);
    child(claim, 1);
  }

  private void noObject(ClassClaim claim) {
    if (claim.own().hasOwnToken() || claim.isArray()) {
      notes.find(Kind.IMPOSSIBLE_OBJECT, claim.name(), at);
    }
    if (claim.own().isBareReference()) {
      notes.find(Kind.UNKNOWN_REFERENCE_KIND, claim.name(), at);
    }
  }

  /** Most objects of most messages are such: without a place on the stack of their own. */
  @Override
  public void onPlainObject(int handle, StreamClass type, int primitivesAt) {
    if (!ordinary[type.index()] || stack[top].watched) {
      StreamObserver.super.onPlainObject(handle, type, primitivesAt);
      return;
    }
    count();
    at = primitivesAt;
    ClassClaim claim = claim(type);
    if (claim.isOrdered()) {
      addOrdered(handle, claim);
    }
    child(claim, 1);
  }

  /** The kind of objects that have an order among themselves; null for one of no such kind. */
  private Object kind(ClassClaim type) {
    return type.own() == SerialDataLayout.TIME
        ? OrderedKinds.ofTime(timeCode)
        : type.isOrdered() ? type : null;
  }

  @Override
  public void onClassData(StreamClass type, int primitivesAt) {
    OpenElement open = stack[top];
    if (primitivesBehind != null) {
      primitivesBehind.data(top, type);
    }
    if (open.ordinary != 0) {
      at = primitivesAt >= 0 ? primitivesAt : at;
      open.ordinary = type.hasWriteMethod() ? OpenElement.DATA : OpenElement.FIELDS;
      return;
    }
    endData(open);
    awaitNoMore(top);
    if (primitivesAt >= 0) {
      at = primitivesAt;
    }
    ClassClaim claim = claim(type);
    open.tell(claim);
    if (open.data != null) {
      beginOwnData(open, type, primitivesAt);
    }
  }

  private void beginOwnData(OpenElement open, StreamClass type, int primitivesAt) {
    open.objects = -type.objectFields();
    open.blockSeen = false;
    if (open.own().tellsKeysApart()) {
      beginKeys(open, primitivesAt);
    }
    if (open.own() == SerialDataLayout.REMOTE_OBJECT) {
      open.reference = new ReferenceData(notes, open.type.name(), stack[top - 1].type);
    }
    if (primitivesAt >= 0 && open.own().size == Size.FIELD && open.data.explained()) {
      checkClaim(open, primitivesAt);
    }
  }

  private void beginKeys(OpenElement open, int primitivesAt) {
    if (top >= tables.length) {
      tables = Arrays.copyOf(tables, stack.length);
    }
    if (tables[top] == null) {
      tables[top] = new KeyChains.Table();
    }
    boolean field = primitivesAt >= 0 && open.own().hasField && open.data.explained();
    int value = field ? (int) INT.get(buf, primitivesAt) : 0;
    boolean isProperties = open.type.name().equals("java.util.Properties");
    open.chained = notes.chains().begin(tables[top], open.own(), value, isProperties);
  }

  private void endData(OpenElement open) {
    if (open.reference != null) {
      open.reference.onEnd(at);
      open.reference = null;
    }
  }

  /** Stops to await elements of the collection that is open at that depth. */
  private void awaitNoMore(int depth) {
    if (depth < awaitedAt.length) {
      awaited -= awaitedAt[depth];
      awaitedAt[depth] = 0;
    }
  }

  @Override
  public void beginArray(int handle, StreamClass type, int length, int elementsAt) {
    count();
    notes.countArray(length);
    ClassClaim claim = claim(type);
    if (values != null) {
      values.begin();
      if (elementsAt < 0) {
        values.claimElements(claim.name(), length, limit, at);
      }
    }
    boolean inZone = stack[top].watched && checkPlaceOfArray(claim, length, elementsAt);
    push(claim, handle, inZone);
    if (elementsAt >= 0) {
      stack[top].size = UnfoldedSizes.ofArray(claim.name(), length);
    }
  }

  /** Without a place on the stack, either. */
  @Override
  public void onPlainArray(int handle, StreamClass type, int length, int elementsAt) {
    count();
    if (values != null) {
      values.begin();
    }
    notes.countArray(length);
    ClassClaim claim = claim(type);
    if (stack[top].watched) {
      checkPlaceOfArray(claim, length, elementsAt);
    }
    at = elementsAt;
    long size = UnfoldedSizes.ofArray(claim.name(), length);
    if (size > 1) {
      sizes().put(handle, size);
    }
    child(claim, size);
  }

  /** Whether an array belongs to a Calendar's zone. */
  private boolean checkPlaceOfArray(ClassClaim claim, int length, int elementsAt) {
    boolean inZone = ZoneAndTime.checkArray(stack[top], elementsAt >= 0, notes, at);
    if (isIn(SerialDataLayout.MARSHALLED_OBJECT) && stack[top].objects < 0) {
      marshalled(claim, elementsAt, length);
    }
    if (stack[top].isParticular()) {
      particulars().array(claim.name(), length);
    }
    return inZone;
  }

  /** The first array is of locations, the second of the object. */
  private void marshalled(ClassClaim array, int elementsAt, int length) {
    if (!array.name().equals(BYTES)) {
      notes.find(Kind.ODD_OWN_DATA, "java.rmi.MarshalledObject", at);
      return;
    }
    if (nesting == notes.limits().nestedStreams()) {
      notes.findMoreThan(nesting, Kind.NESTED_TOO_OFTEN, at);
      return;
    }
    notes.countNestedStream();
    if (nested == null) {
      nested = new NestedStreams(classes, notes, nesting + 1);
    }
    int droppedBefore =
        notes.dropsCodebases() ? notes.toDrop().beginArray(elementsAt - Integer.BYTES) : 0;
    if (stack[top].objects == -2) {
      nested.scanLocations(buf, elementsAt, length, depthAround + top);
    } else {
      nested.scanObject(buf, elementsAt, length, depthAround + top);
    }
    if (notes.dropsCodebases()) {
      notes.toDrop().endArray(droppedBefore, length);
    }
  }

  @Override
  public void beginEnum(int handle, StreamClass type) {
    count();
    ZoneAndTime.checkOther(stack[top], notes, at);
    push(claim(type), handle, false);
  }

  @Override
  public void onClass(int handle, StreamClass type) {
    count();
    ZoneAndTime.checkOther(stack[top], notes, at);
    child("a class", 1);
  }

  @Override
  public void onString(int handle, int stringAt, int length) {
    count();
    at = stringAt;
    OpenElement open = stack[top];
    if (open.annotation && notes.dropsCodebases()) {
      dropCodebase(handle, stringAt, length);
      return;
    }
    if (open.watched) {
      checkText(handle, stringAt, length);
    }
    long size = UnfoldedSizes.ofText(length);
    if (size > 1) {
      sizes().put(handle, size);
    }
    if (values != null) {
      textInPieces(handle, stringAt, length, size);
      return;
    }
    if (isKey()) {
      notes.chains().text(tables[top], buf, stringAt, length, size);
    }
    child("a string", size);
  }

  private void dropCodebase(int handle, int textAt, int length) {
    if (values != null && values.begin()) {
      values.beginText(length, null, 0); // nothing hashes it
    }
    if (isFirst(stack[top])) {
      dropString(textAt, length);
      addDropped(handle);
    }
  }

  /** A text of a message that comes in pieces; of a long one, only the first may be there. */
  private void textInPieces(int handle, int textAt, int length, long size) {
    addOrdered(handle, KeyChains.STRINGS);
    boolean isPassing = values.begin();
    KeyChains.Table table = null;
    if (isKey()) {
      if (!isPassing) {
        notes.chains().text(tables[top], buf, textAt, length, size);
      } else if (notes.chains().beginText(tables[top], size)) {
        table = tables[top];
      }
    }
    long steps = notes.hashingSteps();
    child("a string", size);
    if (isPassing) {
      values.beginText(length, table, notes.hashingSteps() - steps);
    }
  }

  /** In a place where it matters what a text says, or that it is one. */
  private void checkText(int handle, int stringAt, int length) {
    if (isIn(SerialDataLayout.CHRONO)) {
      ZoneAndTime.checkOther(stack[top], notes, at);
    }
    if (isIn(SerialDataLayout.MATCH_QUERY)) {
      QueryPattern.check(notes, buf, stringAt, length);
    }
    if (stack[top].isParticular()) {
      particulars().text(stack[top], buf, stringAt, length, handle);
    }
  }

  @Override
  public void onTextPart(int partAt, int length) {
    values.textPart(buf, partAt, length);
  }

  @Override
  public void onNull() {
    if (stack[top].watched && isIn(SerialDataLayout.CHRONO)) {
      ZoneAndTime.checkOther(stack[top], notes, at);
    }
    OpenElement open = stack[top];
    child(
        "null",
        open.ordinary == OpenElement.FIELDS ? 0 : 1); // else it may be one of a collection's
  }

  @Override
  public boolean dropsAnnotations() {
    return notes.dropsCodebases();
  }

  @Override
  public void onReferenceInAnnotation(int handle, int stringAt, int tokenAt) {
    if (!notes.dropsCodebases()) {
      onReference(handle, stringAt);
      return;
    }
    at = tokenAt;
    if (isFirst(stack[top])) {
      notes.dropReference(tokenAt);
    }
  }

  /** RMI writes one object: more of them would be more to remember than there are classes. */
  private boolean isFirst(OpenElement annotation) {
    if (annotation.objects++ == 0) {
      return true;
    }
    notes.find(Kind.OBJECT_IN_ANNOTATION, "more than one object", at);
    return false;
  }

  /** A text that does not go on; in front of it stand its token and its length. */
  void dropString(int textAt, int length) {
    boolean isShort = length <= MAX_SHORT_TEXT_BYTES && buf[textAt - 1 - Short.BYTES] == TC_STRING;
    notes.dropString(textAt - 1 - (isShort ? Short.BYTES : Long.BYTES), textAt + length);
  }

  private void addDropped(int handle) {
    if (droppedCount == dropped.length) {
      dropped = Arrays.copyOf(dropped, Math.max(4, 2 * droppedCount));
    }
    dropped[droppedCount++] = handle;
  }

  @Override
  public void onReference(int handle, int stringAt) {
    if (droppedCount > 0 && Arrays.binarySearch(dropped, 0, droppedCount, handle) >= 0) {
      notes.find(Kind.REFERENCE_TO_CODEBASE, "a value", at);
    }
    long size = unfolding == null ? 1 : unfolding.of(handle);
    boolean endless = stringAt == 0 && isAskedByTop(handle);
    boolean cycle = size > 1 && unfolding.isVague(handle) && isOpen(handle);
    if (endless) {
      size = ENDLESS;
    }
    if (isKey()) {
      Object kind = ordered == null ? null : ordered.kindOf(handle - FIRST_HANDLE);
      notes.chains().reference(tables[top], buf, stringAt, kind, size);
    }
    if (stack[top].watched) {
      checkReference(handle, stringAt, size);
    }
    if (stringAt == 0) {
      refer(handle); // a string holds nothing
    }
    child("what stands before", cycle && !endless ? 1 : size);
    holdsUrl = false;
    refersToOpen = false;
  }

  /** Notes what is known of the object that a reference refers to. */
  private void refer(int handle) {
    OpenElement open = stack[top];
    if (particulars != null) {
      holdsUrl = particulars.holdsUrl(handle);
      open.holdsUrl |= holdsUrl;
    }
    if (open.hashes || !cyclic) {
      refersToOpen = isOpen(handle);
      cyclic |= refersToOpen;
    }
  }

  private ConditionalObjects particulars() {
    if (particulars == null) {
      particulars = new ConditionalObjects(notes, FIRST_HANDLE);
    }
    return particulars;
  }

  /** In a place where it matters what an object is. */
  private void checkReference(int handle, int stringAt, long size) {
    if (isIn(SerialDataLayout.CHRONO) && !(times != null && times.get(handle - FIRST_HANDLE))) {
      ZoneAndTime.checkOther(stack[top], notes, at);
    }
    if (isIn(SerialDataLayout.MARSHALLED_OBJECT) && stack[top].objects < 0) {
      notes.find(Kind.ODD_OWN_DATA, "java.rmi.MarshalledObject", at);
    }
    if (isIn(SerialDataLayout.MATCH_QUERY) && stringAt > 0) {
      boolean isShort = buf[stringAt] == TC_STRING;
      int length = (buf[stringAt + 1] & 0xFF) << 8 | (buf[stringAt + 2] & 0xFF);
      QueryPattern.check(notes, buf, stringAt + 3, isShort ? length : Integer.MAX_VALUE);
    }
    if (isIn(SerialDataLayout.COPY_ON_WRITE_ARRAY_SET)) {
      notes
          .chains()
          .spend(UnfoldedSizes.product(size, size) / 2); // how many are in it is not known
    }
    if (stack[top].isParticular()) {
      particulars().reference(buf, stringAt, handle);
    }
  }

  /**
   * What is open has begun in the order of handles: a search takes no longer for a deep message.
   */
  private boolean isOpen(int handle) {
    return levelOf(handle) > 0;
  }

  private int levelOf(int handle) {
    int least = 1;
    int most = top;
    while (least <= most) {
      int middle = (least + most) >>> 1;
      int found = stack[middle].handle;
      if (found == handle) {
        return middle;
      }
      if (found < handle) {
        least = middle + 1;
      } else {
        most = middle - 1;
      }
    }
    return 0;
  }

  /**
   * Whether an object that is not complete may be asked for its hash code by the innermost one,
   * which is another one in it, and may ask others then.
   */
  private boolean isAskedByTop(int handle) {
    int level = levelOf(handle);
    return level > 0 && level < top && asks(stack[level]) && asks(stack[top]);
  }

  private boolean asks(OpenElement open) {
    return open.type != null && classes.ask(open.type);
  }

  @Override
  public void onBlockData(int blockAt, int length) {
    at = blockAt;
    if (top == 0) {
      if (values != null) {
        values.countPrimitives(length, blockAt);
      }
      return;
    }
    noteTimeCode(blockAt, length);
    OpenElement open = stack[top];
    if (open.annotation) {
      notes.find(Kind.OBJECT_IN_ANNOTATION, "a block", blockAt);
    } else if (open.reference != null) {
      open.reference.onBlock(buf, blockAt, length);
    } else if (open.watched && isIn(SerialDataLayout.IMAGE_ICON)) {
      beginImage(open, blockAt, length);
    } else if (!open.blockSeen && open.own().size == Size.BLOCK) {
      open.blockSeen = true;
      if (open.objects != 0 || length < open.own().sizeAt + Integer.BYTES) {
        notes.find(Kind.ODD_OWN_DATA, open.data.name(), blockAt);
      } else {
        checkClaim(open, blockAt + open.own().sizeAt);
        if (open.chained) {
          int size = (int) INT.get(buf, blockAt + open.own().sizeAt);
          notes.chains().size(tables[top], (int) INT.get(buf, blockAt), size);
        }
      }
    }
  }

  private void beginImage(OpenElement image, int blockAt, int length) {
    if (image.blockSeen) {
      return;
    }
    image.blockSeen = true;
    boolean whole = image.objects == 0 && length == 2 * Integer.BYTES;
    long width = whole ? (int) INT.get(buf, blockAt) : 0;
    long height = whole ? (int) INT.get(buf, blockAt + Integer.BYTES) : 0;
    particulars().beginImage(width, height, whole);
  }

  /**
   * Each element takes a byte at least, and so does each that the collections around it still wait
   * for: a reader has taken memory for those, too.
   */
  private void checkClaim(OpenElement open, int sizeAt) {
    ClassClaim collection = open.data;
    int size = (int) INT.get(buf, sizeAt);
    if (size <= 0) {
      return;
    }
    long claimed = (long) size * open.own().objectsOfEach();
    if (open.own() == SerialDataLayout.HASHTABLE) {
      int field = tables[top].field();
      int length = (int) INT.get(buf, sizeAt - Integer.BYTES);
      int places = KeyChains.placesBeforeJdk9(field, length, size) - FREE_PLACES;
      claimed = Math.max(claimed, places / PLACES_OF_A_BYTE);
    }
    if (top >= awaitedAt.length) {
      awaitedAt = Arrays.copyOf(awaitedAt, stack.length);
    }
    awaitedAt[top] = claimed;
    awaited += claimed;
    if (awaited <= limit - sizeAt) {
      return;
    }
    int first = size / BELIEVED_ELEMENTS;
    if (values == null) {
      notes.find(Kind.CLAIMS_TOO_MUCH, collection.name(), sizeAt);
    } else if (first > limit) {
      notes.find(Kind.CLAIMS_MORE_THAN_IS_KEPT, collection.name(), sizeAt);
    } else {
      believedFrom = Math.max(believedFrom, sizeAt) + first; // no element is in two collections
      claimAt = claimant == null ? sizeAt : claimAt;
      claimant = collection;
    }
  }

  /**
   * How much may go on, of so much that has come: collections that claim to hold very many do so
   * only once an eighth as many bytes have come, of those in each other the sum. What is not
   * believed yet must stay where it is.
   */
  int believed(int length) {
    if (claimant != null && believedFrom <= length) {
      claimant = null;
      believedFrom = 0;
    }
    return claimant == null ? length : claimAt;
  }

  /** The message is over: what has not been believed by now is not so. */
  void over(int length) {
    if (believed(length) < length) {
      notes.find(Kind.CLAIMS_TOO_MUCH, claimant.name(), claimAt);
    }
  }

  @Override
  public void onExternalData(int dataAt, int length) {
    at = dataAt;
    noteTimeCode(dataAt, length);
  }

  @Override
  public void onEnd() {
    OpenElement ended = stack[top--];
    if (primitivesBehind != null) {
      primitivesBehind.end(top + 1);
    }
    endData(ended);
    awaitNoMore(top + 1);
    if (ended.annotation) {
      if (ended.objects == 0 && nesting == 0 && stack[top].belongsToZone()) {
        notes.find(Kind.ODD_OWN_DATA, "java.util.Calendar", at);
      }
      return;
    }
    if (ended.own() == SerialDataLayout.BIG_DECIMAL && ended.size > SHORT_DECIMAL) {
      ended.size = UnfoldedSizes.product(ended.size, ended.size);
    }
    if (ended.size > 1) {
      sizes().put(ended.handle, ended.size);
    }
    noteOrder(ended.handle, ended.type);
    OpenElement around = stack[top];
    if (around.watched && isIn(SerialDataLayout.COPY_ON_WRITE_ARRAY_SET)) {
      int elements = ended.own() == SerialDataLayout.COPY_ON_WRITE_ARRAY_LIST ? ended.objects : 1;
      notes.chains().spend(UnfoldedSizes.product(ended.size, elements) / 2);
    }
    if (ended.holdsUrl) {
      around.holdsUrl = true;
      particulars().addUrl(ended.handle);
    }
    holdsUrl = ended.holdsUrl;
    child(ended.type, ended.size);
    holdsUrl = false;
  }

  /** The parser has let go of all open elements. */
  @Override
  public void onReset() {
    top = 0;
    primitivesBehind = null;
    awaited = 0;
    Arrays.fill(awaitedAt, 0);
    if (unfolding != null) {
      unfolding.clear();
    }
    times = null;
    ordered = null;
    particulars = null;
    cyclic = false;
    droppedCount = 0;
  }

  /** Made for the first that has something in it. */
  private UnfoldedSizes sizes() {
    if (unfolding == null) {
      unfolding = new UnfoldedSizes(FIRST_HANDLE);
      if (values != null) {
        unfolding.keepLess();
      }
    }
    return unfolding;
  }

  private boolean isIn(SerialDataLayout data) {
    return stack[top].own() == data;
  }

  private void count() {
    notes.countObject(depthAround + top, at);
  }

  private void push(ClassClaim type, int handle, boolean inZone) {
    if (++top == stack.length) {
      stack = Arrays.copyOf(stack, 2 * top);
    }
    OpenElement open = stack[top];
    if (open == null) {
      open = new OpenElement();
      stack[top] = open;
    }
    open.begin(type, handle, inZone);
  }

  /** A part of what is open is complete. */
  private void child(ClassClaim type, long size) {
    OpenElement open = stack[top];
    if (open.annotation) {
      open.objects++;
      notes.find(Kind.OBJECT_IN_ANNOTATION, type.label(), at);
    } else if (open.reference != null) {
      child(type.label(), size);
    } else {
      if (isKey()) {
        notes.chains().object(tables[top], type.keys(), kind(type), buf, at, size);
      }
      if (open.watched) {
        checkPart(open, type.label(), type.isArray());
      }
      counted(open, size);
    }
  }

  /** Whether what is told next is hashed by the container that it stands in. */
  private boolean isKey() {
    OpenElement open = stack[top];
    return open.chained
        && open.objects >= 0
        && open.hashes(open.objects)
        && notes.chains().isKey(tables[top], open.objects);
  }

  /** In words, of what has no class. */
  private void child(String what, long size) {
    OpenElement open = stack[top];
    if (open.annotation) {
      open.objects++;
      annotated(what);
      return;
    }
    if (open.watched) {
      boolean text =
          what.equals("a string") || (isIn(SerialDataLayout.LEVEL) && !what.equals("a class"));
      checkPart(open, what, text);
    }
    if (counted(open, size) && open.reference != null) {
      open.reference.onObject(what, at);
    }
  }

  private void checkPart(OpenElement open, String what, boolean isFitting) {
    if (open.isParticular()) {
      particulars().part(open, what, isFitting, at);
    }
  }

  /** Whether it belongs to what a class has written itself. */
  private boolean counted(OpenElement open, long size) {
    open.size = UnfoldedSizes.sum(open.size, size);
    if (open.data == null) {
      return false;
    }
    int number = open.objects++;
    SerialDataLayout own = open.own();
    if (number < 0) {
      if (particulars != null && own == SerialDataLayout.COPY_ON_WRITE_ARRAY_SET) {
        checkKey(size);
      }
      if (number >= -own.lastFields) {
        notes.countHashing(UnfoldedSizes.product(size, own.weight));
      }
      return false;
    }
    if (open.hashes(number)) {
      notes.countHashing(UnfoldedSizes.product(size, own.weight));
      if (particulars != null && isHashed(open, number)) {
        checkKey(size);
      }
    }
    if (top < awaitedAt.length && awaitedAt[top] > 0) {
      awaitedAt[top]--;
      awaited--;
    }
    return true;
  }

  /** Whether it is hashed in truth: an immutable list is written by the class that writes sets. */
  private boolean isHashed(OpenElement open, int number) {
    return open.own() != SerialDataLayout.COLL_SER
        || (open.chained && notes.chains().isKey(tables[top], number));
  }

  private void checkKey(long size) {
    boolean isKnown = !cyclic || (size <= 1 && !refersToOpen);
    particulars.key(holdsUrl, isKnown, at);
  }

  private void annotated(String what) {
    switch (what) {
      case "null" -> {}
      case "a string", "what stands before" -> notes.find(Kind.CODEBASE, what, at);
      default -> notes.find(Kind.OBJECT_IN_ANNOTATION, what, at); // a class, or a descriptor
    }
  }
}
