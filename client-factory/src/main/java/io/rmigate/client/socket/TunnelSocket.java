package io.rmigate.client.socket;

import io.rmigate.client.deadline.CallClock;
import io.rmigate.client.deadline.Deadlines;
import io.rmigate.client.link.StreamSequence;
import io.rmigate.client.mediator.MediatorAgent;
import io.rmigate.client.virtual.VirtualSocket;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.UnknownHostException;

/**
 * A connection to an RMI server beyond the gateway. The inner host is never resolved on this side.
 */
public final class TunnelSocket extends VirtualSocket {
  private final String host;
  private final int port;
  private final JrmpConversation conversation;

  /**
   * A connection to {@code host:port}, with a link to carry it. Where references are held there may
   * be none: that the JVM drops them is taken note of all the same, and what needs a link fails
   * when it turns out to.
   *
   * @throws java.net.ConnectException no link could be had; nothing was sent
   */
  public static TunnelSocket connect(MediatorAgent agent, String host, int port)
      throws IOException {
    return connect(agent, Deadlines.NO_RULES, host, port);
  }

  /**
   * As {@link #connect(MediatorAgent, String, int)}, with bounds of calls.
   *
   * @throws io.rmigate.client.deadline.CallTimeoutException no link could be had in time; nothing
   *     was sent
   */
  public static TunnelSocket connect(
      MediatorAgent agent, Deadlines deadlines, String host, int port) throws IOException {
    long start = System.nanoTime();
    if (!agent.leases().areHeldAt(host, port)) {
      agent.ensureLink(
          deadlines.mayApply() ? deadlines.connecting(host, port, start) : CallClock.UNBOUNDED);
    }
    return new TunnelSocket(new JrmpConversation(agent, deadlines, host, port, start), host, port);
  }

  private TunnelSocket(JrmpConversation conversation, String host, int port)
      throws SocketException {
    this.conversation = conversation;
    this.host = host;
    this.port = port;
  }

  @Override
  protected int read(byte[] buffer, int offset, int length, int timeoutMillis) throws IOException {
    return conversation.read(buffer, offset, length, timeoutMillis);
  }

  @Override
  protected void write(byte[] bytes, int offset, int length) throws IOException {
    conversation.write(bytes, offset, length);
  }

  /**
   * What was written is a whole Call, and no thread is to wait for its Return: has {@code task} run
   * once, when a read need not wait for the server any more. It is run by this thread or by one
   * that it must not keep. The socket is neither read nor written before.
   *
   * @throws IOException the Call cannot be sent to its end
   */
  public void whenAnswered(Runnable task) throws IOException {
    conversation.whenAnswered(task);
  }

  /**
   * Has all Calls take part in a sequence, before the first of them.
   *
   * @return false when the gateway in use knows no sequences
   */
  public boolean join(StreamSequence sequence) {
    return conversation.join(sequence);
  }

  /**
   * The time that is left for the Return, by the bounds of calls; {@link Long#MAX_VALUE} when there
   * is none. When it is over a read says so, but the task of {@link #whenAnswered} is not run.
   */
  public long leftNanos() {
    return conversation.leftNanos();
  }

  /**
   * Whether nothing of the latest Call has left this JVM. Asked by any thread; the answer is final
   * once the socket is closed.
   */
  public boolean isUnsent() {
    return conversation.isUnsent();
  }

  /** Whether what was read last was not sent by the server, but made on this side of the link. */
  public boolean isAnsweredHere() {
    return conversation.isAnsweredHere();
  }

  @Override
  protected int available() throws IOException {
    return conversation.available();
  }

  @Override
  protected void end() {
    conversation.close();
  }

  @Override
  public boolean isClosed() {
    return conversation.isClosed();
  }

  /** The name as the stub has it, with the unspecified address: it was not resolved. */
  @Override
  public InetAddress getInetAddress() {
    try {
      return InetAddress.getByAddress(host, new byte[4]);
    } catch (UnknownHostException impossible) {
      throw new AssertionError("four bytes are an address", impossible);
    }
  }

  @Override
  public int getPort() {
    return port;
  }

  @Override
  public InetAddress getLocalAddress() {
    return InetAddress.getLoopbackAddress();
  }

  @Override
  public int getLocalPort() {
    return 0;
  }

  @Override
  public SocketAddress getRemoteSocketAddress() {
    return InetSocketAddress.createUnresolved(host, port);
  }

  @Override
  public String toString() {
    return "TunnelSocket[" + host + ":" + port + (isClosed() ? ",closed]" : "]");
  }
}
