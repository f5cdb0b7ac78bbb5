/** The commands of {@code java -jar rmigate-client.jar}. */
package io.rmigate.client.program.command;
