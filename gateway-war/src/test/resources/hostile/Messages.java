// Messages of exceptions are virtual.
//   Msg
//   MsgR
package hostile.messages;

import java.io.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;

class Msg extends Exception { public String getMessage() { Throwable c = getCause(); return c == null ? "x" : c.getMessage() + c.getMessage(); } public int hashCode() { return getMessage().hashCode(); } }
class MsgR extends Exception { public String getMessage() { Throwable c = getCause(); if (c == null) return "x"; c.getMessage(); return c.getMessage(); } private Object readResolve() { return getMessage() == null ? null : this; } }
