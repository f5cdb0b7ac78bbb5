/**
 * The gateway's configuration: {@code rmigate.yaml}, its environment overrides and its reload.
 *
 * <p>{@link io.rmigate.gateway.config.ConfigKey} is the one place where keys are listed; the pages
 * of docs/reference about the configuration are copies of it, held equal by a test. A file becomes
 * a tree of nodes that know their origin ({@link io.rmigate.gateway.config.YamlTree}), the tree is
 * bound to the records of {@link io.rmigate.gateway.config.GatewayConfig}, and everything that is
 * wrong is reported at once.
 *
 * <p>The composition root and the stand-alone program import this package, no other package does:
 * each part takes settings of its own. Must not import edge or standalone.
 */
package io.rmigate.gateway.config;
