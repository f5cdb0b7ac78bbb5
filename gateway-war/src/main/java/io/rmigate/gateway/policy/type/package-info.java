/**
 * Classes and methods as the rules name them: patterns over their names, outlines of class files,
 * the proof of which classes are harmless, and the exceptions that a Return carries. Imports
 * nothing of {@code policy}.
 */
package io.rmigate.gateway.policy.type;
