/**
 * Contracts spoken as JSON over HTTP, by the rules of the module's JSON.md.
 *
 * <p>{@link io.rmigate.soap.json.JsonFront} answers a request; it knows no servlet. Types come from
 * the signature only: nothing that a client writes ever names a class.
 */
package io.rmigate.soap.json;
