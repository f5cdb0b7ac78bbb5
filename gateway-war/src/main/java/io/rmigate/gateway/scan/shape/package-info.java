/**
 * What classes look like in serialization streams, taken from their class files: nothing is loaded,
 * nothing runs. Those of the JDK are a table in this package, made by {@code JdkShapes} from
 * several releases; those of applications are made at start from configured jars by the same code.
 * {@link io.rmigate.gateway.scan.shape.Shapes} finds them by name.
 *
 * <p>Knows byte code (ASM) and the descriptors of {@code io.rmigate.protocol.jrmp}, and nothing of
 * messages or gateways.
 */
package io.rmigate.gateway.scan.shape;
