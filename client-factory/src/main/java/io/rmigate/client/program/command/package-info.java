/** What {@code java -jar rmigate-client.jar} can be told. */
package io.rmigate.client.program.command;
