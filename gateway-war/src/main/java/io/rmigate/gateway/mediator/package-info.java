/**
 * The mediator proxy's judgement of what the mediator agents send: which request may go to a
 * server, and how. Works on whole requests, without class loading; knows no sockets and no
 * sessions.
 */
package io.rmigate.gateway.mediator;
