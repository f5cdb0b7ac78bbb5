/**
 * Contracts in XML: how arguments, results and faults look as elements, and the WSDL 1.1 and XML
 * Schema that say so (document/literal wrapped), by the rules of the module's XML.md. Knows no SOAP
 * stack: elements are read and written by StAX.
 */
package io.rmigate.soap.xml;
