/**
 * The gateway without a container: {@code java -jar rmigate.war}. Command line, embedded Jetty, TLS
 * and orderly stop.
 *
 * <p>Its libraries lie beside {@code WEB-INF/lib}, where a container does not look; nothing outside
 * this package may import Jetty or picocli.
 */
package io.rmigate.gateway.standalone;
