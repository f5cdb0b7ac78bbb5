package io.rmigate.gateway.session;

import io.rmigate.gateway.quota.Share;
import io.rmigate.gateway.quota.WaitingRoom;
import io.rmigate.gateway.stream.SessionStream;
import io.rmigate.gateway.view.GatewayView;
import io.rmigate.gateway.view.SessionMeters;
import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.tunnel.Frame;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The streams that an agent has opened, by their numbers. They are opened by the edge's thread, and
 * end on any.
 */
final class SessionStreams {
  /** Streams of each session that take no room. */
  static final int FREE_STREAMS = 16;

  /** About what an open stream takes, with what it may keep that is not counted elsewhere. */
  static final int STREAM_BYTES = 3 * 1024;

  private final ConcurrentMap<Integer, SessionStream> open = new ConcurrentHashMap<>();
  private final int most;
  private final SessionMeters meters;

  /** Guarded by itself: streams end on any thread. */
  private final WaitingRoom room;

  /**
   * @param most at the same time
   * @param room for the streams of all sessions of one caller
   */
  SessionStreams(int most, Share room, SessionMeters meters) {
    this.most = most;
    this.room = new WaitingRoom(room);
    this.meters = meters;
  }

  /** How many may be open at the same time. */
  int most() {
    return most;
  }

  boolean isFull() {
    return open.size() >= most;
  }

  /** Whether there is room for all that are open; to be asked once there is one more. */
  boolean haveRoom() {
    synchronized (room) {
      long counted = Math.max(0, open.size() - FREE_STREAMS);
      return room.holds(counted * STREAM_BYTES, 0);
    }
  }

  /**
   * Takes one that the agent opens by that frame.
   *
   * @throws ProtocolViolationException the number is no agent's, or is in use
   */
  void add(Frame opening, SessionStream stream) throws ProtocolViolationException {
    int number = opening.stream();
    mustBeAgents(number);
    if (open.putIfAbsent(number, stream) != null) {
      throw new ProtocolViolationException(
          "expected a free stream number, got " + number + " again");
    }
    meters.streamOpened();
  }

  private static void mustBeAgents(int number) throws ProtocolViolationException {
    if (number % 2 == 0) {
      throw new ProtocolViolationException(
          "expected an odd number for an agent's stream, got " + number);
    }
  }

  /**
   * The stream that a frame is about.
   *
   * @throws ProtocolViolationException there is none of that number
   */
  SessionStream of(Frame frame) throws ProtocolViolationException {
    SessionStream stream = open.get(frame.stream());
    if (stream == null) {
      throw new ProtocolViolationException(
          "expected " + frame.type() + " on an open stream, got stream " + frame.stream());
    }
    return stream;
  }

  /** The stream is no longer known from here on; null when it was not known. */
  SessionStream forget(int number) {
    SessionStream forgotten = open.remove(number);
    if (forgotten != null) {
      meters.streamClosed();
      haveRoom(); // there is, for one less
    }
    return forgotten;
  }

  /** The session has ended. */
  void endAll() {
    open.keySet().forEach(this::end);
  }

  void end(int number) {
    SessionStream ending = forget(number);
    if (ending != null) {
      ending.end();
    }
  }

  void forEach(Consumer<SessionStream> action) {
    open.values().forEach(action);
  }

  /** Whether a call may be waiting for its answer. */
  boolean callInFlight() {
    return open.values().stream().anyMatch(SessionStream::callInFlight);
  }

  /** The Calls that wait for their Returns. */
  Stream<GatewayView.CallView> calls(long now) {
    return open.values().stream().flatMap(stream -> stream.callView(now).stream());
  }

  /** For admins. */
  List<GatewayView.StreamView> views() {
    return open.values().stream().map(SessionStream::view).toList();
  }
}
