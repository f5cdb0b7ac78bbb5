/**
 * Classes and methods as the rules name them: patterns over their names, outlines of class files,
 * the proof of which classes are harmless, the lists of the JDK's values and of hostile classes,
 * and the exceptions that a Return carries. Imports nothing of {@code policy}.
 */
package io.rmigate.gateway.policy.type;
