/**
 * The contents of a message, before a server reads it. {@link
 * io.rmigate.gateway.scan.StreamScanner} goes through the grammar of {@code
 * io.rmigate.protocol.jrmp} once and tells, without a verdict, of every class that a receiver will
 * ask for, of every live reference, of sizes, and of all that no honest sender writes. Policy
 * decides; nothing here knows principals, targets or sessions.
 *
 * <p><b>Why names are not enough.</b> A serialization stream is not read by its grammar but by the
 * classes of the receiver, which take from it what they please. Two parsers agree about a stream
 * only as long as each class takes what its descriptor says. So every descriptor is compared with
 * the {@link io.rmigate.gateway.scan.shape.Shape}s of the class that it names: serialVersionUID,
 * flags, fields in their order, superclass. A shape also says whether the class's own byte code
 * reads as declared, with {@code readObject} or {@code readExternal}. What has no shape is told as
 * unexplained.
 *
 * <p><b>Data without frames</b>, as RMI writes those of Externalizables, end where their class
 * stops reading. The shape of a class from a jar says that as a {@code ReadSequence}, as far as it
 * follows from byte code, and the parser goes by it. A receiver that lacks the Externalizable's
 * class reads none of them, and one that lacks the class of an object in them reads none behind
 * that object: where these stand inside another object, it looks for the next object of that one.
 * Therefore no bytes there may begin as an object does, nor be taken for primitive fields of a
 * subclass ({@code PrimitivesBehind}); what such a receiver finds then ends its reading. A version
 * of the class that reads something else under the same serialVersionUID is not provided for.
 *
 * <p><b>What shapes cannot say</b> stands in {@code SerialDataLayout}, class by class. {@code
 * RemoteObject} makes an object of a class that its data name, so these are read to the last byte.
 * {@code Calendar} goes on after a failure in the middle of its time zone, so that nothing may
 * stand there which can fail so: found by reading byte code, and it works on JDK 17 and 25. {@code
 * java.time.chrono.Ser} stops in the middle when a class is absent, with no mark behind it.
 * Collections take memory for as many elements as they claim to have, and hash what they hold, or
 * compare it; and some objects copy what they are given, though very many may be given the same. Of
 * some values it matters in which place they stand, or which names they hold: see {@code
 * ConditionalObjects}.
 *
 * <p><b>Messages that are too long to be kept</b> are scanned by the same grammar with the same
 * findings, but for the number of objects, which has no limit there. A handle of what has been
 * forgotten is remembered as that of an object; it is neither a class descriptor nor the type of a
 * field, so that who refers to it as one sends what no JDK does. Arrays and texts go by in pieces,
 * once a part of them is there, unless they hold another stream.
 *
 * <p><b>What it rests on.</b> The receiver has the classes that the shapes were made of, or
 * versions that differ in nothing that is read here; where a receiver lacks a class it steps over
 * its objects by the grammar, as the parser does. A reader that swallows the stream's failures
 * shows in its byte code, be it in a method of another class that the jars hold, too (of several
 * versions of that class the first is looked at); code of the JDK that is handed the stream is
 * trusted (see {@code ReadObject}). {@code readResolve} and similar methods run after their object
 * is complete, and cannot move the reader.
 *
 * <p><b>How it is known.</b> {@code ScannerDifferenceTest} compares with the JDK's reader and the
 * real classes, in the default build for seconds and by a command of its own for millions of
 * streams; {@code LyingDescriptorsTest} shows the attacks at work on the JDK and found here.
 */
package io.rmigate.gateway.scan;
