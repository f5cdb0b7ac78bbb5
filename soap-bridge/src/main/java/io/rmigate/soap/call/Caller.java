package io.rmigate.soap.call;

/** One principal's view of one remote object. */
public record Caller(RemoteObject target, RemoteReferences references, CallPermission permission) {}
