/**
 * The ladder: by which of the ways that the configuration allows an RMI server is reached. {@code
 * LinkLadder} decides between WebSocket and POST, for each connection of the link to a gateway;
 * {@code ServerLadder} decides, for each new socket to a destination, whether it goes past the
 * gateway, directly or by CONNECT, or over that link. Both start their attempts staggered ({@code
 * Race}), remember what came of them ({@code WayMemory}), and say what they chose and why. {@code
 * WayTrial} tries each way by itself, for people who want to know.
 *
 * <p>A way is chosen before the first byte of a call: nothing is ever sent by two of them.
 *
 * <p>May import {@code client.config}, {@code client.transport} and {@code protocol}; knows neither
 * links nor sockets of the RMI runtime.
 */
package io.rmigate.client.ladder;
