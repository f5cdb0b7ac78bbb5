/** Replies that are longer than what a gateway keeps of one, through real gateways. */
package io.rmigate.gateway.container.replies;
