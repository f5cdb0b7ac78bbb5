// A method that a map runs for each element it reads.
//   Lru
package hostile.eldestentries;

import java.io.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;

class Lru extends LinkedHashMap<Object,Object> { protected boolean removeEldestEntry(Map.Entry<Object,Object> e) { int n = 0; for (Object v : values()) n++; return n > 100000; } }
