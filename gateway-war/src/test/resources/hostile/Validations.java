// Validations are sorted by priority.
//   First
//   Prio
package hostile.validations;

import java.io.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.function.*;

class First implements Serializable, ObjectInputValidation { private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException { in.defaultReadObject(); in.registerValidation(this, 10); } public void validateObject() {} }
class Second implements Serializable, ObjectInputValidation { private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException { in.defaultReadObject(); in.registerValidation(this, 0); } public void validateObject() {} }
class Prio implements Serializable, ObjectInputValidation { int p; private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException { in.defaultReadObject(); in.registerValidation(this, p); } public void validateObject() {} }
