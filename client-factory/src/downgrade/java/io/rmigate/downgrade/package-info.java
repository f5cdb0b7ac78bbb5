/**
 * Makes the classes of the client jar that Java 8 can load: a step of the build, no part of the
 * product. The compiler writes class files of Java 17; {@link io.rmigate.downgrade.Downgrade}
 * writes each of them once more with what Java 8 knows.
 */
package io.rmigate.downgrade;
