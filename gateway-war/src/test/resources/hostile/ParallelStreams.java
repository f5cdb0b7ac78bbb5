// Streams that run in the common pool.
//   ParallelSum
package hostile.parallelstreams;

import java.io.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;

class ParallelSum implements Supplier<Object>, Serializable { List<Integer> list; public Object get() { return list.stream().parallel().mapToInt(i -> i).sum(); } }
