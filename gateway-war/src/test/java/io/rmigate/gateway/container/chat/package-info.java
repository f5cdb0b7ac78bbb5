/**
 * A chat as RMI is often used: a server with a room, clients that join it with listeners of their
 * own, which the server calls. {@link io.rmigate.gateway.container.chat.ChatServer} and {@link
 * io.rmigate.gateway.container.chat.ChatClient} are plain RMI programs that know nothing of
 * rmigate, and are driven by lines on their standard input; they may be run wherever a test wants
 * them.
 */
package io.rmigate.gateway.container.chat;
