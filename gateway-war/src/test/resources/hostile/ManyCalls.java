// Methods without a loop that call each other twice.
//   Many
package hostile.manycalls;

import java.io.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;

class Many implements Serializable { int h; int f0() { return h; }
  int f1() { return f0() + f0(); }
  int f2() { return f1() + f1(); }
  int f3() { return f2() + f2(); }
  int f4() { return f3() + f3(); }
  int f5() { return f4() + f4(); }
  int f6() { return f5() + f5(); }
  int f7() { return f6() + f6(); }
  int f8() { return f7() + f7(); }
  int f9() { return f8() + f8(); }
  int f10() { return f9() + f9(); }
  int f11() { return f10() + f10(); }
  int f12() { return f11() + f11(); }
  int f13() { return f12() + f12(); }
  int f14() { return f13() + f13(); }
  int f15() { return f14() + f14(); }
  int f16() { return f15() + f15(); }
  int f17() { return f16() + f16(); }
  int f18() { return f17() + f17(); }
  int f19() { return f18() + f18(); }
  int f20() { return f19() + f19(); }
  int f21() { return f20() + f20(); }
  int f22() { return f21() + f21(); }
  int f23() { return f22() + f22(); }
  int f24() { return f23() + f23(); }
  int f25() { return f24() + f24(); }
  int f26() { return f25() + f25(); }
  int f27() { return f26() + f26(); }
  int f28() { return f27() + f27(); }
  int f29() { return f28() + f28(); }
  int f30() { return f29() + f29(); }
  int f31() { return f30() + f30(); }
  int f32() { return f31() + f31(); }
  int f33() { return f32() + f32(); }
  int f34() { return f33() + f33(); }
  private Object readResolve() { return f34() > 0 ? this : null; } }
