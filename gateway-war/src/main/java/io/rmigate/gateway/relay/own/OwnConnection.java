package io.rmigate.gateway.relay.own;

import io.rmigate.gateway.relay.ConnectionListener;
import io.rmigate.gateway.relay.ServerConnection;
import io.rmigate.protocol.jrmp.GrowingReturn;
import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.jrmp.MessageEnd;
import io.rmigate.protocol.tunnel.RefusalReason;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

/**
 * One connection of an {@link OwnPool} with the message that is on its way there. Gathers the
 * Return until the grammar sees its end; all other bytes of a server end the connection. Confined
 * to its loop.
 */
final class OwnConnection implements ConnectionListener {
  private static final int READ_BYTES = 64 * 1024;
  private static final byte[] NOTHING = {};

  private final OwnPool pool;
  private final int maxReturnBytes;

  /** Set once, straight after construction. */
  private ServerConnection connection;

  /** Null while idle. */
  private OwnCall current;

  /** Whether the message that is under way is the first here. */
  private boolean fresh;

  private boolean used;
  private int written;
  private byte[] reply = NOTHING;
  private int replyBytes;

  /** Null while idle. */
  private GrowingReturn growing;

  private long idleSinceNanos;
  private boolean over;

  OwnConnection(OwnPool pool, int maxReturnBytes) {
    this.pool = pool;
    this.maxReturnBytes = maxReturnBytes;
  }

  void connectBy(ServerConnection wire) {
    connection = wire;
  }

  /** Writes the message; one that the connection does not take goes back to the pool. */
  void begin(OwnCall call) {
    current = call;
    fresh = !used;
    used = true;
    written = 0;
    reply = NOTHING;
    replyBytes = 0;
    growing = new GrowingReturn();
    if (!connection.send(call.message(), true)) {
      onServerClosed();
    }
  }

  /** Ends what has waited too long; whether this connection is there afterwards. */
  boolean checkDeadline(long now, long longestIdleNanos) {
    if (current == null) {
      if (now - idleSinceNanos > longestIdleNanos) {
        end();
      }
    } else if (now - current.deadlineNanos() > 0) {
      fail(OwnCallFailure.Kind.LATE, "no Return in time");
    }
    return !over;
  }

  @Override
  public int wanted() {
    return READ_BYTES;
  }

  @Override
  public void onWritten(int count) {
    if (over || current == null) {
      return;
    }
    written += count;
    if (current.isOneWay() && written == current.message().length) {
      OwnCall sent = current;
      becomeIdle();
      sent.written();
    }
  }

  @Override
  public void onBytes(ByteBuffer bytes) {
    if (over) {
      return;
    }
    if (current == null || current.isOneWay()) {
      end(); // no call is in progress
      return;
    }
    if (replyBytes + bytes.remaining() > maxReturnBytes) {
      fail(OwnCallFailure.Kind.NO_RETURN, "a Return of more than " + maxReturnBytes + " bytes");
      return;
    }
    keep(bytes);
    MessageEnd end = growing.end(reply, replyBytes);
    boolean isReturn = reply[0] == Jrmp.RETURN; // a PingAck is a reply too
    if (isReturn && end instanceof MessageEnd.Complete complete && complete.end() == replyBytes) {
      if (current.isWhole(reply, replyBytes)) {
        OwnCall answered = current;
        byte[] whole = Arrays.copyOf(reply, replyBytes);
        becomeIdle();
        answered.succeed(whole);
      }
    } else if (!(end instanceof MessageEnd.Truncated)) {
      fail(OwnCallFailure.Kind.NO_RETURN, "expected one Return, got " + end);
    }
  }

  private void keep(ByteBuffer bytes) {
    int count = bytes.remaining();
    if (reply.length - replyBytes < count) {
      reply = Arrays.copyOf(reply, Math.max(replyBytes + count, 2 * reply.length));
    }
    bytes.get(reply, replyBytes, count);
    replyBytes += count;
  }

  private void becomeIdle() {
    current = null;
    reply = NOTHING;
    growing = null;
    idleSinceNanos = System.nanoTime();
    pool.onIdle(this);
  }

  @Override
  public void onRefused(RefusalReason reason, String text) {
    if (!over) {
      fail(
          new OwnCallFailure(
              OwnCallFailure.Kind.REFUSED,
              DeliveryStatus.NOT_SENT,
              Optional.of(reason),
              reason + " " + text));
    }
  }

  @Override
  public void onServerClosed() {
    if (over) {
      return;
    }
    OwnCall unsent = current;
    if (unsent != null && (written > 0 || fresh)) {
      fail(OwnCallFailure.Kind.CLOSED, "the server closed the connection");
      return;
    }
    current = null;
    end();
    if (unsent != null) {
      pool.sendAgain(unsent);
    }
  }

  @Override
  public void onBroken() {
    if (over) {
      return;
    }
    if (current == null) {
      end();
    } else {
      fail(OwnCallFailure.Kind.CLOSED, "the gateway has failed");
    }
  }

  private void fail(OwnCallFailure.Kind kind, String text) {
    fail(
        new OwnCallFailure(
            kind,
            written == 0 ? DeliveryStatus.NOT_SENT : DeliveryStatus.POSSIBLY_DELIVERED,
            Optional.empty(),
            text));
  }

  private void fail(OwnCallFailure failure) {
    OwnCall failed = current;
    current = null;
    end();
    failed.fail(failure);
  }

  private void end() {
    over = true;
    connection.close();
    pool.onOver(this);
  }
}
