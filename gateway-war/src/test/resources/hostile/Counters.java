// Counters that begin far from the bound.
//   Down
//   Rest
package hostile.counters;

import java.io.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;

class Down implements Serializable { private int n; private Object readResolve() { int h = 0; for (int i = Math.min(n, 3); i < 3; i++) { h++; } return h > 1 ? this : null; } }
class Rest implements Serializable { private int n; private Object readResolve() { int h = 0; for (int i = n % 5; i < 3; i++) { h++; } return h > 1 ? this : null; } }
