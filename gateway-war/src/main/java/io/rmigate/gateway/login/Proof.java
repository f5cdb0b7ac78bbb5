package io.rmigate.gateway.login;

/**
 * What a login rests on besides a name: enough to find out later whether it still holds, too little
 * to log in with. For {@link Login#holds} only.
 */
public interface Proof {}
