package io.rmigate.gateway.container.ordinary.api;

import java.io.Serializable;

/** A value with a remote object in it. */
@SuppressWarnings("serial")
public record Ticket(String number, Session session) implements Serializable {}
