/**
 * What the client's classes use of Java 9 to 17, for JVMs of Java 8 to 16. {@code LaterX} has what
 * later releases added to the class {@code X}: static methods take the object first, and a type
 * that Java 8 lacks is here as a whole. The build (src/downgrade) leads the calls here; no source
 * names these classes. {@code src/java9} has those that work otherwise from Java 9 on. Only what is
 * used is here, and only as far as it is used.
 */
package io.rmigate.java8;
