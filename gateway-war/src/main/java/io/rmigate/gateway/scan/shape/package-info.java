/**
 * What classes look like in serialization streams, taken from their class files: nothing is loaded,
 * nothing runs. Those of the JDK are a table in this package, made by {@code JdkShapes} from
 * several releases; those of applications are made at start from configured jars by the same code.
 * {@link io.rmigate.gateway.scan.shape.Shapes} finds them by name.
 *
 * <p><b>Making the table again.</b> {@code jdk-shapes.txt} is checked in; the build does not make
 * it, for it needs JDKs that are not there, and what it makes should not depend on which is. It
 * makes that of the JDK it runs on each time, and compares: {@code JdkShapesTest} fails where a
 * line is lacking, be it that {@code jdk-classes.txt} has changed, or what is derived from a class
 * file, or that the build runs on a release which writes something else than those in the second
 * line of the table. It says which lines, and what adds them:
 *
 * <pre>
 *  gateway-war/shapes HOME...
 * </pre>
 *
 * <p>with the homes of the JDKs that are to be read. What others have in the table stays in it.
 * Where what is derived has changed, lines of today may be wrong rather than lacking: then get all
 * releases of that second line (8, 11, 17, 21 and 25) and say {@code gateway-war/shapes --anew},
 * for what only one of them writes is lost without it. Read the difference: a class that has become
 * unproven is one that honest programs cannot send any more. Of 8, 11 and 21 nothing in the build
 * says that the table has become stale. The table of today was made before {@code readExternal} and
 * missing classes were looked at. On 17 and 25 the tool makes the same lines as before; on the
 * other three it was not run again, and of the lines that only these have, no {@code readObject}
 * does more than begin with {@code defaultReadObject} or refuse.
 *
 * <p>What has a shape is not allowed for that: {@code value-types.txt} of the policy says of each
 * class why it passes or not. {@code ValueTypesTest} fails where a new shape does not stand there,
 * and where a superclass or a field's class of one that passes does not.
 *
 * <p>Knows byte code (ASM) and the descriptors of {@code io.rmigate.protocol.jrmp}, and nothing of
 * messages or gateways.
 */
package io.rmigate.gateway.scan.shape;
