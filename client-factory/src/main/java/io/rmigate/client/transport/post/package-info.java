/**
 * The POST transport (PROTOCOL.md, section 4): {@code PostTransport} numbers requests and puts
 * their answers in order, {@code PostPool} keeps its connections, {@code HoldTime} learns how long
 * a request may wait.
 */
package io.rmigate.client.transport.post;
