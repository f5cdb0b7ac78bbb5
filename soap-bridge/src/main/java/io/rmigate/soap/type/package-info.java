/**
 * How Java types look to clients that know no Java: one model for JSON and SOAP, whose rules are in
 * the module's MAPPING.md.
 *
 * <p>{@link io.rmigate.soap.type.Shapes} turns a type of a signature into a {@link
 * io.rmigate.soap.type.Shape}; nothing here knows how a shape is written. No class is initialized
 * and no code of a published class runs until a value is made or read. Must not import any other
 * package of this module.
 */
package io.rmigate.soap.type;
