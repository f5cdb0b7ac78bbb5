package io.rmigate.gateway.container.traces;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.Serializable;

/** Prints a line when it is deserialized. */
final class Bait implements Serializable {
  private static final long serialVersionUID = 1L;

  private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
    in.defaultReadObject();
    System.out.println("the bait was deserialized");
  }
}
