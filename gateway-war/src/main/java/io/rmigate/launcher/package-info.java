/**
 * What {@code java -jar rmigate.war} runs first. Lies at the root of the WAR, unlike every other
 * class, and must not import anything but the JDK.
 */
package io.rmigate.launcher;
