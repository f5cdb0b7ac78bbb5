// An element that is hashed with its container, or by two names.
//   ArrTwice
//   FirstTwice
//   GetOfNext
//   LocalChain
//   OfTwice
//   OptTwice
//   SumValues
//   ToArr
package hostile.partsaskedtwice;

import java.util.*;
import java.io.*;

class FirstTwice implements Serializable { List<Object> l; public int hashCode() { return l.hashCode() + l.iterator().next().hashCode(); } }
class OfTwice implements Serializable { Object a; public int hashCode() { return List.of(a, a).hashCode(); } }
class OptTwice implements Serializable { Object a; public int hashCode() { return Optional.ofNullable(a).hashCode() + a.hashCode(); } }
class SumValues implements Serializable { Map<Object,Object> m; public int hashCode() { return m.hashCode() + m.values().iterator().next().hashCode(); } }
class LocalChain implements Serializable { LocalChain n; Object v; public int hashCode() { LocalChain x = n; Object o = x.v; return o.hashCode() + x.hashCode(); } }
class GetOfNext implements Serializable { GetOfNext n; Object v; Object v() { return v; } public int hashCode() { return Objects.hashCode(n) + Objects.hashCode(n.v()); } }
class ArrTwice implements Serializable { Object[] a; public int hashCode() { return Arrays.hashCode(a) + a[0].hashCode(); } }
class ToArr implements Serializable { List<Object> l; public int hashCode() { return Arrays.hashCode(l.toArray()) + l.hashCode(); } }
