// Private methods are not selected.
//   UsesI
//   UsesI2
package hostile.selection;

import java.io.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;

interface I { default void go() { Runtime.getRuntime().gc(); } }
class E0 { private void go() {} }
class E1 extends E0 implements I {}
class UsesI implements Serializable { private Object readResolve() { I i = new E1(); i.go(); return this; } }   // PROVEN; so is E2 extends E0 implements I, Serializable with UsesI2 { private I i; }
class E2 extends E0 implements I, Serializable {}
class UsesI2 implements Serializable { private I i; private Object readResolve() { i.go(); return this; } }
