/** Links that are cut, freeze and dribble while real clients call real servers. */
package io.rmigate.gateway.container.cuts;
