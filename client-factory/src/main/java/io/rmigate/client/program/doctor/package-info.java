/**
 * Tells the user which ways lead from here to an RMI server, what stands in between, and what to
 * configure.
 *
 * <pre>
 *  DoctorCommand ─► Examination ─► Observations ─► Diagnosis: Finding…, DecisionTable, Recommendation
 *                    what was seen                   what it means, and what to do   ─► TextReport, JsonReport
 * </pre>
 *
 * {@link io.rmigate.client.program.doctor.Examination} opens connections and draws no conclusions;
 * what follows it opens nothing. Servers are asked in plain JRMP by {@link
 * io.rmigate.client.program.doctor.RmiConversation}, which reads answers by the grammar and
 * deserializes nothing: no class of the application is needed or loaded, and no method of an
 * application is called. May import everything of the client but {@code instrument}, {@code
 * sidecar} and {@code command}.
 */
package io.rmigate.client.program.doctor;
