/**
 * The streams of sessions: one JRMP connection each ({@code TunnelStream}), or one that the gateway
 * does not look into ({@code RawStream}).
 *
 * <pre>
 *  {@link io.rmigate.gateway.stream.StreamSession}    all that a stream knows of its session
 *  {@link io.rmigate.gateway.stream.TunnelStream}     takes the frames of one stream
 *    RequestGathering       collects a request
 *    RequestJudge           puts it to the checks, in their order
 *    RequestRefusals        answers a request that does not pass
 *    StreamConnections      sends it to its server
 *    ReturnPath             judges the reply, and sends it to the agent
 * </pre>
 *
 * <p>Must not import {@code gateway.session}, {@code gateway.edge} or {@code gateway.metrics}.
 */
package io.rmigate.gateway.stream;
