package io.rmigate.sample.value;

import java.io.Serializable;

/** Where a vehicle goes. The entry of {@code publish} names the class that stands for it. */
public interface Route extends Serializable {

  /** Its whole length. */
  int kilometres();
}
