// Calls that only seem quick.
//   Cnt
package hostile.countedtexts;

import java.io.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;

class Cnt implements Serializable { String s; transient int n; private Object readResolve() { n = Character.codePointCount(s, 0, s.length()); return this; } }
