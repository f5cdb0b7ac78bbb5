package io.rmigate.gateway.scan;

import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.jrmp.MessageEnd;
import io.rmigate.protocol.jrmp.ReadSequence;
import io.rmigate.protocol.jrmp.StreamClass;
import io.rmigate.protocol.jrmp.StreamObserver;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;

/**
 * Scans a message once more, and keeps the path to what is being told: {@code argument 1:
 * Order.lines[3].price}. Used only for a message that is refused, since a path costs a few steps
 * for each object. It passes every event to a {@link StreamInspector} and asks, whenever that has
 * taken a new note, whether the note is the one looked for; then it ends the scan. Confined to the
 * scanning thread.
 */
public final class PlaceFinder implements StreamObserver {
  private static final int TC_BLOCKDATA = 0x77;
  private static final int TC_BLOCKDATALONG = 0x7A;
  private static final int TC_RESET = 0x79;

  /**
   * Size of a Call's header block: ObjID, operation, hash. What follows is a primitive argument.
   */
  private static final int CALL_HEADER_BYTES = 34;

  /** Levels that are written: the outer ones, then the inner ones. */
  private static final int MOST_OUTER = 8;

  private static final int MOST_INNER = 4;

  private static final int MAX_NAME_CHARACTERS = 40;

  /**
   * The number of notes that are looked at, because each costs a copy of all notes before it.
   * Hostile messages may have thousands, and the places of further notes help no reader.
   */
  private static final int MOST_NEWS = 64;

  private static final String CUT = "...";

  /** Ends the scan; {@code found} is empty when the search is given up. */
  private static final class Found extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Found() {
      super(null, null, false, false);
    }
  }

  /** A scan that can be ended by what its observer finds. */
  interface Scan {
    MessageEnd with(StreamObserver observer);
  }

  private enum Kind {
    OBJECT,
    ARRAY,
    ENUM,
    ANNOTATION
  }

  private final StreamInspector inspector;
  private final ScanNotes notes;
  private final byte[] buf;
  private final long length;
  private final Sought sought;
  private ScanResult told;

  /** Null until it is known. */
  private String found;

  // What has begun and not ended, from 1; at 0 is the message itself.
  private Kind[] kinds = new Kind[8];
  private StreamClass[] types = new StreamClass[8];

  /** The class of an object whose data are being told; null before the first. */
  private StreamClass[] data = new StreamClass[8];

  /** How many objects of these data, elements, or parts have been told. */
  private int[] counts = new int[8];

  private int top;
  private int news;

  /** The block with the header of the message has been told. */
  private boolean headerSeen;

  private boolean exception;

  /** An unknown number of primitive arguments stands before an object. */
  private boolean primitives;

  /**
   * The findings that are searched.
   *
   * @param news whether it is among what is told here and was not told before
   * @param mostKeys the place where there are more keys than that; {@link Long#MAX_VALUE}: keys are
   *     not what is looked for
   * @param parameters numbers, from 1, of those parameters that are objects; empty: not known
   */
  public record Sought(Predicate<ScanResult> news, long mostKeys, List<Integer> parameters) {
    /** Its own list. */
    public Sought {
      parameters = List.copyOf(parameters);
    }
  }

  PlaceFinder(StreamInspector inspector, ScanNotes notes, byte[] buf, long length, Sought sought) {
    this.inspector = inspector;
    this.notes = notes;
    this.buf = buf;
    this.length = length;
    this.sought = sought;
    this.told = inspector.result(new MessageEnd.Truncated(), length);
  }

  /** The place, for people; empty where what is looked for stands at none. */
  String in(Scan scan) {
    try {
      MessageEnd end = scan.with(this);
      boolean stopped =
          end instanceof MessageEnd.Malformed || end instanceof MessageEnd.Unparseable;
      return stopped && sought.news().test(inspector.result(end, length).since(told))
          ? place(true)
          : "";
    } catch (Found isThere) {
      return found;
    }
  }

  /**
   * Looks at what the inspector has noted.
   *
   * @param inNext it is about what comes next in what is open, or else about that itself
   */
  private void look(boolean inNext) {
    boolean isFound = notes.keys() > sought.mostKeys();
    if (notes.hasNews()) {
      news++;
      ScanResult now = inspector.result(new MessageEnd.Truncated(), length);
      ScanResult newlyTold = now.since(told);
      told = now;
      isFound |=
          sought
              .news()
              .test(
                  new ScanResult(
                      newlyTold.end(),
                      newlyTold.classes(),
                      List.of(), // those of a principal are counted, not found
                      newlyTold.references(),
                      newlyTold.findings(),
                      newlyTold.figures()));
    }
    if (isFound) {
      found = place(inNext);
      throw new Found();
    }
    if (news == MOST_NEWS) {
      found = "";
      throw new Found();
    }
  }

  private void push(Kind kind, StreamClass type) {
    if (++top == kinds.length) {
      kinds = Arrays.copyOf(kinds, 2 * top);
      types = Arrays.copyOf(types, 2 * top);
      data = Arrays.copyOf(data, 2 * top);
      counts = Arrays.copyOf(counts, 2 * top);
    }
    kinds[top] = kind;
    types[top] = type;
    data[top] = null;
    counts[top] = 0;
  }

  /** A part of what is open has been told. */
  private void told() {
    look(true);
    counts[top]++;
  }

  private String place(boolean inNext) {
    StringBuilder path = new StringBuilder(root());
    int end = inNext ? top : top - 1; // the last level of which a part is named
    if (top > 0) {
      path.append(": ").append(type(types[1]));
    }
    boolean isLong = end > MOST_OUTER + MOST_INNER;
    for (int level = 1; level <= (isLong ? MOST_OUTER : end); level++) {
      path.append(part(level));
    }
    if (isLong) {
      path.append(CUT);
      for (int level = end - MOST_INNER + 1; level <= end; level++) {
        path.append(part(level));
      }
    }
    return path.toString();
  }

  private String root() {
    if (buf[0] == Jrmp.RETURN) {
      return exception ? "exception" : "result";
    }
    int number = Math.max(1, inspector.topObjects());
    List<Integer> known = sought.parameters();
    if (number <= known.size()) {
      return "argument " + known.get(number - 1);
    }
    return (primitives ? "object " : "argument ") + number;
  }

  /** The part of what is open at that level that comes next, or is open, too. */
  private String part(int level) {
    return switch (kinds[level]) {
      case ANNOTATION -> " (annotation of its class)";
      case ENUM -> "";
      case ARRAY -> "[" + counts[level] + "]";
      case OBJECT -> partOfObject(types[level], data[level], counts[level]);
    };
  }

  /**
   * The name of a part of an object.
   *
   * @param of the class of its chain whose data are being told; null before the first
   * @param number of the part among these data
   */
  private static String partOfObject(StreamClass type, StreamClass of, int number) {
    if (of == null || type.isProxy()) {
      return ""; // a proxy is what its handler is
    }
    if (number < of.objectFields()) {
      return of.isNamed("java.util.Arrays$ArrayList") ? "" : "." + name(of.objectField(number));
    }
    int own = number - of.objectFields();
    String name = of.label();
    if (!name.startsWith("java.util.")) {
      return ".writeObject[" + own + "]";
    }
    if (!name.endsWith("Map") && !name.equals("java.util.Hashtable")) {
      return "[" + own + "]";
    }
    return (own % 2 == 0 ? "[key " : "[value ") + own / 2 + "]";
  }

  /** The simple name of a class; of an array that of its elements. */
  private static String type(StreamClass type) {
    if (type.isProxy()) {
      List<String> interfaces = type.interfaces(1);
      return interfaces.isEmpty() ? "a proxy" : simple(interfaces.get(0));
    }
    return simple(type.name());
  }

  /** A class's name without its package. */
  static String simple(String className) {
    int dimensions = 0;
    while (dimensions < className.length() && className.charAt(dimensions) == '[') {
      dimensions++;
    }
    String element = className.substring(dimensions);
    if (dimensions > 0 && element.startsWith("L") && element.endsWith(";")) {
      element = element.substring(1, element.length() - 1);
    }
    return name(element.substring(element.lastIndexOf('.') + 1)) + (dimensions > 0 ? "[]" : "");
  }

  private static String name(String name) {
    String kept =
        name.length() <= MAX_NAME_CHARACTERS
            ? name
            : name.substring(0, MAX_NAME_CHARACTERS - CUT.length()) + CUT;
    return ScanNotes.printable(kept);
  }

  @Override
  public void onContent(int at) {
    inspector.onContent(at);
    int token = buf[at];
    primitives |= token == TC_BLOCKDATA || token == TC_BLOCKDATALONG;
    if (token != TC_RESET) {
      look(true);
    }
  }

  @Override
  public void onClassDescriptor(StreamClass descriptor) {
    inspector.onClassDescriptor(descriptor);
    look(true);
  }

  @Override
  public void onDescriptorObject() {
    inspector.onDescriptorObject();
    told();
  }

  @Override
  public void onDescriptorReference(int handle) {
    inspector.onDescriptorReference(handle);
    told();
  }

  @Override
  public void beginAnnotation(StreamClass descriptor) {
    inspector.beginAnnotation(descriptor);
    look(true);
    push(Kind.ANNOTATION, descriptor);
  }

  @Override
  public void beginObject(int handle, StreamClass type) {
    inspector.beginObject(handle, type);
    look(true);
    push(Kind.OBJECT, type);
  }

  @Override
  public void onClassData(StreamClass type, int primitivesAt) {
    inspector.onClassData(type, primitivesAt);
    data[top] = type;
    counts[top] = 0;
    look(false);
  }

  @Override
  public void onPlainObject(int handle, StreamClass type, int primitivesAt) {
    inspector.onPlainObject(handle, type, primitivesAt);
    told();
  }

  @Override
  public void beginArray(int handle, StreamClass type, int elements, int elementsAt) {
    inspector.beginArray(handle, type, elements, elementsAt);
    look(true);
    push(Kind.ARRAY, type);
  }

  @Override
  public void onPlainArray(int handle, StreamClass type, int elements, int elementsAt) {
    inspector.onPlainArray(handle, type, elements, elementsAt);
    told();
  }

  @Override
  public ReadSequence readSequence(StreamClass type) {
    ReadSequence sequence = inspector.readSequence(type);
    look(false);
    return sequence;
  }

  @Override
  public boolean takesPieces() {
    return inspector.takesPieces();
  }

  @Override
  public boolean takesPieces(long bytes) {
    return inspector.takesPieces(bytes);
  }

  @Override
  public void onTextPart(int at, int bytes) {
    inspector.onTextPart(at, bytes);
    look(false);
  }

  @Override
  public int mostFrames() {
    return inspector.mostFrames();
  }

  @Override
  public void beginEnum(int handle, StreamClass type) {
    inspector.beginEnum(handle, type);
    look(true);
    push(Kind.ENUM, type);
  }

  @Override
  public void onClass(int handle, StreamClass type) {
    inspector.onClass(handle, type);
    told();
  }

  @Override
  public void onString(int handle, int at, int bytes) {
    inspector.onString(handle, at, bytes);
    told();
  }

  @Override
  public void onBlockData(int at, int bytes) {
    if (headerSeen) {
      inspector.onBlockData(at, bytes);
      look(false);
      return;
    }
    headerSeen = true;
    exception = buf[0] == Jrmp.RETURN && bytes > 0 && buf[at] == Jrmp.EXCEPTIONAL_RETURN;
    primitives = bytes > CALL_HEADER_BYTES;
    inspector.onBlockData(at, bytes);
  }

  @Override
  public void beginExternalRun(int at) {
    inspector.beginExternalRun(at);
    look(false);
  }

  @Override
  public void onExternalData(int at, int bytes) {
    inspector.onExternalData(at, bytes);
    look(false);
  }

  @Override
  public void onExternalObject(int handle, StreamClass type, int at, int bytes) {
    inspector.onExternalObject(handle, type, at, bytes);
    told();
  }

  @Override
  public void onReference(int handle, int stringAt) {
    inspector.onReference(handle, stringAt);
    told();
  }

  @Override
  public void onReferenceInAnnotation(int handle, int stringAt, int at) {
    inspector.onReferenceInAnnotation(handle, stringAt, at);
    told();
  }

  @Override
  public boolean dropsAnnotations() {
    return inspector.dropsAnnotations();
  }

  @Override
  public void onNull() {
    inspector.onNull();
    told();
  }

  @Override
  public void onEnd() {
    inspector.onEnd();
    look(false);
    if (kinds[top--] != Kind.ANNOTATION) {
      counts[top]++;
    }
  }

  @Override
  public void onReset() {
    inspector.onReset();
    top = 0;
  }

  @Override
  public boolean writesDefaultFields(StreamClass type) {
    return inspector.writesDefaultFields(type);
  }
}
