package io.rmigate.gateway.scan.proof;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.Externalizable;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.ObjectStreamConstants;
import java.io.ObjectStreamField;
import java.io.Serializable;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Writes streams of some classes' objects, with any values in their fields, without running any
 * code of them. Each stream is an array of {@value #ROOTS} objects.
 */
final class RandomMessages {
  static final int ROOTS = 12;

  /** Objects of a chain: enough for what doubles with each to be seen. */
  private static final int CHAIN = 40;

  private static final int[] NUMBERS = {0, 0, 1, 1, 2, 3, 5, -1, 1 << 22, Integer.MAX_VALUE};

  /** In each field of its own, one after the other, or all in each field. */
  private enum Links {
    ONE,
    ALL
  }

  private record Written(Object type, int handle) {}

  private final Random random;
  private final List<Class<?>> permitted;
  private final Map<String, String> layouts;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final DataOutputStream out = new DataOutputStream(bytes);
  private final Map<Class<?>, Integer> descriptors = new HashMap<>();
  private final List<Written> objects = new ArrayList<>();
  private int handles;
  private int room;
  private boolean hasUrl;
  private boolean hasContainers;
  private boolean isChain;

  RandomMessages(Random random, List<Class<?>> permitted, Map<String, String> layouts) {
    this.random = random;
    this.permitted = permitted;
    this.layouts = layouts;
  }

  /** Whether the message has an address whose host hashing would look up. */
  boolean hasUrl() {
    return hasUrl;
  }

  /** Whether all objects refer to the next one by all fields, so that hashing them doubles. */
  boolean isChain() {
    return isChain;
  }

  /** A message that begins with an object of a class. */
  byte[] of(Class<?> first) throws IOException {
    room = 2 + random.nextInt(5);
    boolean chain = random.nextInt(4) == 0 && !first.isEnum();
    boolean withUrl = random.nextInt(6) == 0;
    hasContainers = !withUrl && !chain && random.nextInt(2) == 0;
    out.writeShort(ObjectStreamConstants.STREAM_MAGIC);
    out.writeShort(ObjectStreamConstants.STREAM_VERSION);
    out.writeByte(ObjectStreamConstants.TC_ARRAY);
    descriptor(Object[].class);
    handles++;
    out.writeInt(ROOTS);
    int first0 = 1 + random.nextInt(3);
    hasUrl = withUrl;
    if (chain) {
      room = 0;
      isChain = random.nextInt(2) == 0;
      chain(first, CHAIN, isChain ? Links.ALL : Links.ONE);
      first0 = 1;
    } else {
      object(first);
      for (int i = 1; i < first0; i++) {
        value(Object.class);
      }
    }
    int left = ROOTS - first0;
    for (Written written : List.copyOf(objects)) {
      if (left > 0 && written.type() instanceof Class<?>) {
        reference(written.handle());
        left--;
      }
    }
    for (; left > 0; left--) {
      out.writeByte(ObjectStreamConstants.TC_NULL);
    }
    return bytes.toByteArray();
  }

  private <T> T any(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }

  private void reference(int handle) throws IOException {
    out.writeByte(ObjectStreamConstants.TC_REFERENCE);
    out.writeInt(ObjectStreamConstants.baseWireHandle + handle);
  }

  private void block(int... numbers) throws IOException {
    out.writeByte(ObjectStreamConstants.TC_BLOCKDATA);
    out.writeByte(numbers.length * Integer.BYTES);
    for (int number : numbers) {
      out.writeInt(number);
    }
  }

  private void string(String text) throws IOException {
    out.writeByte(ObjectStreamConstants.TC_STRING);
    out.writeUTF(text);
    handles++;
  }

  private static boolean hasWriter(Class<?> type) {
    try {
      return !Modifier.isStatic(
          type.getDeclaredMethod("writeObject", ObjectOutputStream.class).getModifiers());
    } catch (NoSuchMethodException none) {
      return false;
    }
  }

  private boolean writesMore(Class<?> type) {
    return layouts.containsKey(type.getName()) || hasWriter(type);
  }

  private void descriptor(Class<?> type) throws IOException {
    Integer known = descriptors.get(type);
    if (known != null) {
      reference(known);
      return;
    }
    ObjectStreamClass its = ObjectStreamClass.lookup(type);
    if (its == null) {
      out.writeByte(ObjectStreamConstants.TC_NULL);
      return;
    }
    out.writeByte(ObjectStreamConstants.TC_CLASSDESC);
    out.writeUTF(its.getName());
    out.writeLong(its.getSerialVersionUID());
    descriptors.put(type, handles++);
    ObjectStreamField[] fields = its.getFields();
    if (type.isEnum() || type == Enum.class) {
      out.writeByte(ObjectStreamConstants.SC_ENUM | ObjectStreamConstants.SC_SERIALIZABLE);
    } else if (Externalizable.class.isAssignableFrom(type)) {
      out.writeByte(ObjectStreamConstants.SC_EXTERNALIZABLE | ObjectStreamConstants.SC_BLOCK_DATA);
      fields = new ObjectStreamField[0];
    } else {
      int more = writesMore(type) ? ObjectStreamConstants.SC_WRITE_METHOD : 0;
      out.writeByte(ObjectStreamConstants.SC_SERIALIZABLE | more);
    }
    out.writeShort(fields.length);
    for (ObjectStreamField field : fields) {
      out.writeByte(field.getTypeCode());
      out.writeUTF(field.getName());
      if (!field.isPrimitive()) {
        string(field.getTypeString());
      }
    }
    out.writeByte(ObjectStreamConstants.TC_ENDBLOCKDATA);
    Class<?> parent = type.getSuperclass();
    if (parent != null && Serializable.class.isAssignableFrom(parent) && !type.isArray()) {
      descriptor(parent);
    } else {
      out.writeByte(ObjectStreamConstants.TC_NULL);
    }
  }

  private static boolean isOfWorld(Class<?> type) {
    return type.getName().startsWith("w");
  }

  /** A value of a field or an element. */
  private void value(Class<?> type) throws IOException {
    if (random.nextInt(8) == 0) {
      out.writeByte(ObjectStreamConstants.TC_NULL);
      return;
    }
    List<Written> known =
        objects.stream()
            .filter(w -> w.type() instanceof Class<?> its && type.isAssignableFrom(its))
            .toList();
    if (!known.isEmpty() && random.nextInt(3) == 0) {
      reference(any(known).handle());
      return;
    }
    room--;
    List<Class<?>> fitting = permitted.stream().filter(type::isAssignableFrom).toList();
    boolean enough = room < 0;
    if (!enough && !fitting.isEmpty() && random.nextInt(3) > 0) {
      object(any(fitting));
      return;
    }
    List<Class<?>> simple = new ArrayList<>();
    if (hasUrl) {
      simple.add(URL.class);
    }
    if (hasContainers && !enough) {
      simple.addAll(List.of(HashMap.class, HashSet.class, TreeMap.class, PriorityQueue.class));
    }
    simple.addAll(
        List.of(
            String.class,
            Integer.class,
            ArrayList.class,
            Object[].class,
            int[].class,
            AtomicReference.class));
    List<Class<?>> offered = simple.stream().filter(type::isAssignableFrom).toList();
    boolean nothing = offered.isEmpty() || (enough && !type.isAssignableFrom(String.class));
    if (nothing) {
      if (type.isArray() && !enough) {
        array(type, 1 + random.nextInt(2));
      } else {
        out.writeByte(ObjectStreamConstants.TC_NULL);
      }
      return;
    }
    if (enough) {
      string("t");
    } else {
      ofPlatform(any(offered));
    }
  }

  private void array(Class<?> type, int length) throws IOException {
    out.writeByte(ObjectStreamConstants.TC_ARRAY);
    descriptor(type);
    objects.add(new Written(type, handles++));
    out.writeInt(length);
    for (int i = 0; i < length; i++) {
      if (type == int[].class) {
        out.writeInt(i);
      } else {
        value(type.getComponentType());
      }
    }
  }

  private void ofPlatform(Class<?> type) throws IOException {
    if (type == String.class) {
      string("t");
    } else if (type.isArray()) {
      array(type, 1 + random.nextInt(2));
    } else {
      out.writeByte(ObjectStreamConstants.TC_OBJECT);
      descriptor(type);
      objects.add(new Written(type, handles++));
      int size = random.nextInt(3);
      if (type == Integer.class) {
        out.writeInt(number());
      } else if (type == URL.class) {
        out.writeInt(-1);
        out.writeInt(-1);
        for (String part : List.of("127.0.0.1", "/f", "127.0.0.1", "http")) {
          string(part);
        }
        out.writeByte(ObjectStreamConstants.TC_NULL);
        out.writeByte(ObjectStreamConstants.TC_ENDBLOCKDATA);
      } else if (type == ArrayList.class) {
        out.writeInt(size);
        block(size);
        elements(size);
      } else if (type == HashMap.class) {
        out.writeFloat(0.75f);
        out.writeInt(12);
        block(16, size);
        elements(2 * size);
      } else if (type == HashSet.class) {
        block(16, Float.floatToIntBits(0.75f), size);
        elements(size);
      } else if (type == TreeMap.class) {
        value(Comparator.class);
        block(size);
        elements(2 * size);
      } else if (type == PriorityQueue.class) {
        out.writeInt(size);
        value(Comparator.class);
        block(size + 1);
        elements(size);
      } else {
        value(Object.class);
      }
    }
  }

  private void elements(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      value(Object.class);
    }
    out.writeByte(ObjectStreamConstants.TC_ENDBLOCKDATA);
  }

  private int number() {
    return NUMBERS[random.nextInt(NUMBERS.length)];
  }

  private interface Content {
    void write(Class<?> type, int index) throws IOException;
  }

  private void object(Class<?> type) throws IOException {
    object(type, (field, index) -> value(field));
  }

  /** An object whose references are written by another one. */
  private void object(Class<?> type, Content content) throws IOException {
    if (type.isEnum()) {
      Object[] constants = type.getEnumConstants();
      out.writeByte(ObjectStreamConstants.TC_ENUM);
      descriptor(type);
      objects.add(new Written(type, handles++));
      string(((Enum<?>) constants[random.nextInt(constants.length)]).name());
      return;
    }
    out.writeByte(ObjectStreamConstants.TC_OBJECT);
    descriptor(type);
    objects.add(new Written(type, handles++));
    if (Externalizable.class.isAssignableFrom(type)) {
      more(type, content);
      return;
    }
    List<Class<?>> all = new ArrayList<>();
    Class<?> at = type;
    for (; at != null && Serializable.class.isAssignableFrom(at); at = at.getSuperclass()) {
      all.add(0, at);
    }
    int index = 0;
    for (Class<?> next : all) {
      for (ObjectStreamField field : ObjectStreamClass.lookup(next).getFields()) {
        if (field.isPrimitive()) {
          platformPrimitive(next, field);
        } else if (isOfWorld(next)) {
          content.write(field.getType(), index++);
        } else {
          out.writeByte(ObjectStreamConstants.TC_NULL);
        }
      }
      if (layouts.containsKey(next.getName())) {
        more(next, content);
      } else if (hasWriter(next)) {
        if (next == ArrayList.class) {
          block(0);
        } else if (next == HashMap.class) {
          block(16, 0);
        }
        out.writeByte(ObjectStreamConstants.TC_ENDBLOCKDATA);
      }
    }
  }

  private void platformPrimitive(Class<?> owner, ObjectStreamField field) throws IOException {
    if (field.getTypeCode() == 'F') {
      out.writeFloat(0.75f);
    } else {
      out.writeInt(isOfWorld(owner) ? number() : 0);
    }
  }

  /** What its reader reads after the fields. */
  private void more(Class<?> type, Content content) throws IOException {
    Class<?> reader = type;
    while (!layouts.containsKey(reader.getName()) && isOfWorld(reader)) {
      reader = reader.getSuperclass();
    }
    String layout = layouts.getOrDefault(reader.getName(), "");
    int last = 0;
    for (int i = 0; i < layout.length(); i++) {
      switch (layout.charAt(i)) {
        case 'I' -> {
          last = layout.indexOf('L', i) > 0 ? random.nextInt(3) : number();
          block(last);
        }
        case 'O' -> content.write(Object.class, i);
        default -> {
          for (int j = 0; j < last; j++) {
            content.write(Object.class, i);
          }
        }
      }
    }
    out.writeByte(ObjectStreamConstants.TC_ENDBLOCKDATA);
  }

  /** Objects of a class each of which refers to the next one. */
  private void chain(Class<?> type, int length, Links links) throws IOException {
    int[] next = {-1};
    object(
        type,
        (field, index) -> {
          boolean linked = length > 1 && field.isAssignableFrom(type);
          if (linked && next[0] < 0) {
            next[0] = handles;
            int position = objects.size();
            chain(type, length - 1, links);
            next[0] = position < objects.size() ? objects.get(position).handle() : -1;
          } else if (linked && links == Links.ALL) {
            reference(next[0]);
          } else {
            value(field);
          }
        });
  }

  @Override
  public String toString() {
    return Arrays.toString(bytes.toByteArray());
  }
}
