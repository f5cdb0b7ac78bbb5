/**
 * Contracts spoken as SOAP 1.1 and 1.2, by the rules of the module's SOAP.md. {@link
 * io.rmigate.soap.soap.SoapFront} answers a request; it knows no servlet. Elements are read and
 * written by {@link io.rmigate.soap.xml}.
 *
 * <p>The stack is Metro, with one endpoint for each SOAP version, whose {@code Provider<Message>}
 * serves all contracts; not Metro's own data binding, WSDL, or transport. Tried with Metro 4.0.5,
 * November 2026:
 *
 * <ul>
 *   <li>Metro's binding wants annotated beans. Records, {@code java.time}, immutable classes and
 *       interface-typed fields would each need a generated twin with annotations, and copying to
 *       and from it. Its metadata without annotations ({@code ExternalMetadataFeature}) covers the
 *       interface, not the beans.
 *   <li>A provider of {@code Message} reads the payload from the parser's own stream and writes
 *       into the encoder's ({@link io.rmigate.soap.soap.WrittenMessage}); nothing is built in
 *       between. One thread's CPU time per call from bytes to bytes inside Metro, without HTTP,
 *       medians of the last rounds of one interleaved run: a getter 0.66 of Metro's own binding, an
 *       echoed bean with a list 0.50; bytes allocated 0.90 and 0.86. No class is generated.
 *   <li>An endpoint without WSDL knows nothing of a contract, so that there is none for each
 *       publication, and none to be disposed of after a reload: what is called comes with the
 *       request ({@link io.rmigate.soap.soap.SoapCall}).
 *   <li>Metro's transport takes the parsers that the thread's context loader finds, for a whole
 *       application. Messages are made of parsers of our own instead ({@link
 *       io.rmigate.soap.soap.EnvelopeReader}): Metro's pass over a DOCTYPE without a word, and
 *       bound neither names nor the parts of a package.
 *   <li>A provider of messages counts as one that understands every header, and WS-Addressing's
 *       feature would send an answer to any address that a client names: both are handled here.
 *   <li>Faults that Metro makes of exceptions carry their messages: the exchange lets none out.
 * </ul>
 */
package io.rmigate.soap.soap;
