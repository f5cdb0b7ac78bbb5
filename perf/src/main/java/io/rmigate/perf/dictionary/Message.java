package io.rmigate.perf.dictionary;

/**
 * One JRMP message, without the preamble of its connection.
 *
 * @param connection which of the recording it went over, from 0
 * @param request from client to server
 */
@SuppressWarnings("ArrayRecordComponent") // bytes of the wire, never compared
record Message(int connection, boolean request, byte[] bytes) {}
