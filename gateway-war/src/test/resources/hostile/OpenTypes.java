// Types of the JDK that classes of the jars may extend.
//   ByAdjuster
//   ByClock
//   ByFmt
package hostile.opentypes;

import java.io.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;

class Evil implements java.time.temporal.TemporalAdjuster { public java.time.temporal.Temporal adjustInto(java.time.temporal.Temporal t) { Runtime.getRuntime().gc(); return t; } }
class ByAdjuster implements Serializable { private java.time.LocalDate d; private Object readResolve() { d = d.with(new Evil()); return this; } }
class EvilFmt implements Formattable { public void formatTo(Formatter f, int a, int b, int c) { Runtime.getRuntime().gc(); } }
class ByFmt implements Serializable { private String t; private Object readResolve() { t = String.format("%s", new EvilFmt()); return this; } }
class MutableClock extends java.time.Clock { List<Object> l = new ArrayList<>(); public java.time.ZoneId getZone() { return null; } public java.time.Clock withZone(java.time.ZoneId z) { return this; } public java.time.Instant instant() { return null; } void add(Object o) { l.add(o); } }
class ByClock implements Serializable { static final java.time.Clock C = make(); static java.time.Clock make() { return new MutableClock(); } private Object readResolve() { ((MutableClock) C).add(this); return this; } }
