/**
 * Plain RMI programs: a server, a client, and a pair that speaks JMX. They use {@code java.rmi} and
 * {@code javax.management} as any application would, and know nothing of rmigate: that they work
 * through it unchanged is what quickstart and the integration tests show. Remote interfaces and
 * value types are public because RMI's own proxies and serialization need them; what stands behind
 * the remote objects is not.
 *
 * <p>Must not import anything of rmigate, nor any library.
 */
package io.rmigate.sample;
