/**
 * The proof that reading an object of a class does no harm, by the byte code of the configured
 * jars. {@link io.rmigate.gateway.scan.proof.HarmlessClasses} says of each class whether it is
 * proven, and if not, by which calls harm is reached.
 *
 * <p>Three steps: {@code FactFinder} looks at one method at a time and notes what it calls and
 * does; {@code CallGraph} finds which method may run which; {@code HarmlessClasses} asks for each
 * class whether anything that reading may run leads to harm. {@code PlatformCalls} lists the
 * methods of the JDK that are harmless, {@code Loops} what goes how many rounds, {@code Types} the
 * classes themselves.
 *
 * <p>Why not WALA, SootUp or Tai-e: they answer more questions than this one, by pointer analyses
 * that want the byte code of the whole JDK, minutes and gigabytes; this one has to be made at each
 * start of a gateway, from jars alone, and err to the safe side where something is missing.
 */
package io.rmigate.gateway.scan.proof;
