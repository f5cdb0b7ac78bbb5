package io.rmigate.gateway.container.ordinary.api;

import java.io.Externalizable;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectOutput;

/** Writes itself. */
@SuppressWarnings("serial")
public final class Tag implements Externalizable {
  private String text = "";
  private int weight;

  /** For deserialization. */
  public Tag() {}

  public Tag(String text, int weight) {
    this.text = text;
    this.weight = weight;
  }

  @Override
  public void writeExternal(ObjectOutput out) throws IOException {
    out.writeUTF(text);
    out.writeInt(weight);
  }

  @Override
  public void readExternal(ObjectInput in) throws IOException {
    text = in.readUTF();
    weight = in.readInt();
  }

  @Override
  public String toString() {
    return text + " " + weight;
  }
}
