package io.rmigate.sample.value;

import java.io.Serializable;

/** Where a vehicle goes. Which class stands for it is for whoever publishes to say. */
public interface Route extends Serializable {

  /** Its whole length. */
  int kilometres();
}
