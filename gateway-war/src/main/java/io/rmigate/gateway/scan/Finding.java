package io.rmigate.gateway.scan;

/**
 * A part of a message that no honest sender writes, that no shape explains, or that harms its
 * reader. A finding is no verdict: the caller of the scanner decides.
 *
 * @param kind what it is
 * @param subject the class, the reference or the number that it is about, fit for one line of a log
 * @param at the index in the message at which it was noticed
 */
public record Finding(Kind kind, String subject, int at) {

  /** Kinds of findings. */
  public enum Kind {
    /** A class of which no shape is known: what its data say is the sender's claim alone. */
    UNEXPLAINED_CLASS,

    /** A descriptor that no known version of its class would write. */
    SHAPE_MISMATCH,

    /** A class of which it is not known where its data end. */
    UNPROVEN_CLASS,

    /**
     * Unframed data of an Externalizable that begin as an object does: a receiver that lacks its
     * class would read other objects there.
     */
    AMBIGUOUS_DATA,

    /** An object of a class whose objects no honest sender writes as such. */
    IMPOSSIBLE_OBJECT,

    /** A name that is none of a class. */
    ODD_CLASS_NAME,

    /** A class annotation that is a codebase. */
    CODEBASE,

    /** A reference to a codebase that was dropped, where it is no codebase. */
    REFERENCE_TO_CODEBASE,

    /** A class annotation that is neither null nor a string. */
    OBJECT_IN_ANNOTATION,

    /** A live reference in another layout than the JDK writes, or with something behind it. */
    ODD_REFERENCE,

    /** A remote object whose reference is of a kind that no call may go to. */
    UNKNOWN_REFERENCE_KIND,

    /** Own data of a JDK class as that class never writes them. */
    ODD_OWN_DATA,

    /**
     * Data of a JDK class which make its reader reach out: a URL as a key, which is resolved; a
     * resource bundle or listeners, which are loaded by name; an image larger than its pixels.
     */
    REACHING_OUT,

    /** A stream within the message that cannot be understood to its end. */
    ODD_NESTED_STREAM,

    /** Streams within streams, beyond the limit. */
    NESTED_TOO_OFTEN,

    /**
     * A collection that claims to hold more than can follow, or that does so together with those
     * around it: memory is taken for each at once.
     */
    CLAIMS_TOO_MUCH,

    /**
     * A collection of a long message that claims to hold more than would be kept of it until that
     * is believed.
     */
    CLAIMS_MORE_THAN_IS_KEPT,

    /** Arguments of a long call behind the last that its method has. */
    SURPLUS_ARGUMENTS,

    /** Objects within each other, beyond the limit. */
    TOO_DEEP,

    /** Objects, beyond the limit. */
    TOO_MANY_OBJECTS,

    /** Different classes, beyond the limit. */
    TOO_MANY_CLASSES,

    /**
     * Different lists of interfaces of proxies, beyond the limit: a receiver makes a class of each,
     * and keeps it.
     */
    TOO_MANY_PROXY_CLASSES,

    /** Live references, beyond the limit. */
    TOO_MANY_REFERENCES,

    /** Findings beyond the limit; further ones are not told. */
    TOO_MANY_FINDINGS,

    /**
     * Collections that share elements, or hold keys that may be alike, so that hashing them, or
     * comparing them with each other, takes much longer than reading them; or objects that all copy
     * what they share.
     */
    TOO_MUCH_HASHING
  }
}
