// Serializable superclasses of the JDK that messages may not carry.
//   Model
//   Rules
package hostile.ancestors;

import java.io.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;

class Model extends javax.swing.JLabel {}
class Rules extends java.security.BasicPermission { Rules() { super("x"); } }
