package io.rmigate.gateway.container.ordinary.api;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamField;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/** Writes its entries by a method of its own, its owner by another name, and has inner parts. */
@SuppressWarnings("serial")
public class Diary implements Serializable {
  @SuppressWarnings("UnusedVariable") // serialization reads it
  private static final ObjectStreamField[] serialPersistentFields = {
    new ObjectStreamField("keeper", String.class)
  };

  private transient String owner;
  private transient List<String> entries = new ArrayList<>();

  public Diary(String owner) {
    this.owner = owner;
  }

  /** An inner object, which holds this one. */
  public Entry write(String text) {
    entries.add(text);
    return new Entry(text);
  }

  private void writeObject(ObjectOutputStream out) throws IOException {
    out.putFields().put("keeper", owner);
    out.writeFields();
    out.writeInt(entries.size());
    for (String entry : entries) {
      out.writeObject(entry);
    }
  }

  private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
    owner = (String) in.readFields().get("keeper", null);
    entries = new ArrayList<>();
    for (int count = in.readInt(); count > 0; count--) {
      entries.add((String) in.readObject());
    }
  }

  @Override
  public String toString() {
    return owner + " " + entries;
  }

  /** A part of it. */
  public class Entry implements Serializable {
    private final String text;

    Entry(String text) {
      this.text = text;
    }

    @Override
    public String toString() {
      return text + " of " + Diary.this;
    }
  }
}
