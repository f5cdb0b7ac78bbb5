// Hash codes of texts.
//   Holder
//   Money
//   Nested
package hostile.texts;

import java.io.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;

class Nested implements Serializable { Object next; public String toString() { return "x" + next; } public int hashCode() { return toString().hashCode(); } }
class Money implements Serializable { java.math.BigInteger amount; public String toString() { return "m" + amount; } public int hashCode() { return toString().hashCode(); } }
class Holder implements Serializable { Object any; public int hashCode() { return ("h" + any).hashCode(); } }
