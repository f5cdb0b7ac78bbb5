// Throwables whose public constructor runs for each object.
//   Traced
package hostile.externalthrowables;

import java.io.*;

class Traced extends Exception implements Externalizable { public Traced() {} public void writeExternal(ObjectOutput out) {} public void readExternal(ObjectInput in) {} }
