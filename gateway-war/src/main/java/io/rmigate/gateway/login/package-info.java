/**
 * Logins at the servlet edge, before a link is accepted.
 *
 * <p>{@link io.rmigate.gateway.login.Login} asks every configured {@link
 * io.rmigate.gateway.login.LoginScheme}; all that find a credential must accept it and agree on the
 * name. All refusals look the same to a client; the reason is in the log only. Must not import
 * session, relay or edge.
 */
package io.rmigate.gateway.login;
