/**
 * The tables, figures and pictures of this module's results: Markdown tables, numbers as text, and
 * charts as SVG. Knows statistics of {@link io.rmigate.perf.harness}, and no command.
 */
package io.rmigate.perf.report;
