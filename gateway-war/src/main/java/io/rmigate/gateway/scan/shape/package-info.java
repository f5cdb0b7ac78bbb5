/**
 * What classes look like in serialization streams, taken from their class files: nothing is loaded,
 * nothing runs. Those of the JDK are a table in this package, made by {@code JdkShapes} from
 * several releases; those of applications are made at start from configured jars by the same code.
 * {@link io.rmigate.gateway.scan.shape.Shapes} finds them by name.
 *
 * <p><b>Making the table again.</b> {@code jdk-shapes.txt} is checked in; the build does not make
 * it, for it needs JDKs that are not there. It is wanted anew when {@code jdk-classes.txt} or what
 * is derived from a class file changes, and for a release of the JDK that applications run on and
 * the second line of the table does not name. Get all releases of that line (8, 11, 17, 21 and 25),
 * for what only one of them writes is lost without it, build, and run, from the root of the
 * repository,
 *
 * <pre>
 *  java -cp "gateway-war/target/classes:gateway-war/target/rmigate/WEB-INF/lib/*" \
 *      io.rmigate.gateway.scan.shape.JdkShapes JDK8 JDK11 JDK17 JDK21 JDK25 &gt; jdk-shapes.txt
 * </pre>
 *
 * <p>with the homes of the JDKs, and put the file into the resources of this package. Read the
 * difference: a class that has become unproven is one that honest programs cannot send any more.
 * {@code JdkShapesTest} compares the table with what the tool makes of the JDK that runs the test,
 * and thus fails on 17 and 25 where it has become stale; of 8, 11 and 21 nothing in the build says
 * so. The table of today was made before {@code readExternal} and missing classes were looked at.
 * On 17 and 25 the tool makes the same lines as before; on the other three it was not run again,
 * and of the lines that only these have, no {@code readObject} does more than begin with {@code
 * defaultReadObject} or refuse.
 *
 * <p>Knows byte code (ASM) and the descriptors of {@code io.rmigate.protocol.jrmp}, and nothing of
 * messages or gateways.
 */
package io.rmigate.gateway.scan.shape;
