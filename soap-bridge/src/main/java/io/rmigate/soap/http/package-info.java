/**
 * As much of HTTP as the fronts share: bodies with bounds, and answers of which the beginning is
 * kept back. Knows no container and no notation.
 */
package io.rmigate.soap.http;
