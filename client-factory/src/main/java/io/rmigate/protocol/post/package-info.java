/**
 * The bodies of the POST transport (PROTOCOL.md, section 4): what stands in an HTTP request and in
 * its answer, and the numbers of that page. Who sends what when is the business of the two ends.
 */
package io.rmigate.protocol.post;
