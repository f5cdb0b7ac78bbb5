// What an instance method returns may be static.
//   ByGetter
package hostile.virtualgetters;

import java.io.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;

class ByGetter implements Serializable {
  private static final Map<Object,Object> CACHE = new HashMap<>();
  private String name;
  protected Map<Object,Object> cache() { return CACHE; }
  private Object readResolve() { cache().put(name, this); return this; }
}
