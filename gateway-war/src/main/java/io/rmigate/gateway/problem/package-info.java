/**
 * Errors in a configuration, each with the place where it stands in the file. A leaf: every package
 * that reads a part of the configuration may import it, and it imports no other package.
 */
package io.rmigate.gateway.problem;
