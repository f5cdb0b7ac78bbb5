/**
 * Parts of the pages that describe published objects to people: HTML, forms to try an operation,
 * and examples of requests. Imports nothing of {@code services}.
 */
package io.rmigate.gateway.services.page;
