package io.rmigate.client.stats;

import io.rmigate.protocol.coding.CodingFigures;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import javax.management.InstanceAlreadyExistsException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** The {@link StatsMBean}. Thread-safe; each attribute is looked up when it is asked for. */
public final class Stats implements StatsMBean {

  /** Under this name; a second one in a JVM has {@code ,id=2} behind it, and so on. */
  public static final String NAME = "io.rmigate:type=Stats";

  private static final int MOST_NAMES = 1000;

  private final String gateways;
  private final UsageCounters account;
  private final BooleanSupplier connected;
  private final Supplier<String> httpProxy;
  private final Supplier<List<String>> ways;

  /**
   * A bean over {@code account}.
   *
   * @param httpProxy asked through what the latest connection goes
   * @param ways asked by which ways destinations are reached
   * @param connected asked whether there is a link now
   */
  public Stats(
      String gateways,
      Supplier<String> httpProxy,
      Supplier<List<String>> ways,
      UsageCounters account,
      BooleanSupplier connected) {
    this.ways = ways;
    this.gateways = gateways;
    this.httpProxy = httpProxy;
    this.account = account;
    this.connected = connected;
  }

  /**
   * Registers the bean with the platform's MBean server, which is made if there is none yet.
   *
   * @return what takes it out again
   * @throws IllegalStateException it could not be registered
   */
  public Runnable register() {
    try {
      return registerAt(ManagementFactory.getPlatformMBeanServer());
    } catch (JMException refused) {
      throw new IllegalStateException(refused);
    }
  }

  private Runnable registerAt(MBeanServer server) throws JMException {
    for (int id = 1; ; id++) {
      ObjectName name = new ObjectName(id == 1 ? NAME : NAME + ",id=" + id);
      try {
        server.registerMBean(this, name);
        return () -> unregister(server, name);
      } catch (InstanceAlreadyExistsException taken) {
        if (id == MOST_NAMES) {
          throw taken;
        }
      }
    }
  }

  private static void unregister(MBeanServer server, ObjectName name) {
    try {
      server.unregisterMBean(name);
    } catch (JMException gone) {
      System.getLogger(Stats.class.getName())
          .log(System.Logger.Level.DEBUG, "other code has unregistered the MBean", gone);
    }
  }

  @Override
  public String getGateways() {
    return gateways;
  }

  @Override
  public String getHttpProxy() {
    return httpProxy.get();
  }

  @Override
  public String[] getWays() {
    return ways.get().toArray(String[]::new);
  }

  @Override
  public boolean isConnected() {
    return connected.getAsBoolean();
  }

  @Override
  public long getCalls() {
    return account.sums().calls();
  }

  @Override
  public long getRoundTrips() {
    return account.sums().roundTrips();
  }

  @Override
  public long getPlainRoundTrips() {
    return account.sums().plainRoundTrips();
  }

  @Override
  public long getBytesSent() {
    return account.sums().traffic().bytesSent();
  }

  @Override
  public long getBytesReceived() {
    return account.sums().traffic().bytesReceived();
  }

  @Override
  public long getUncompressedBytes() {
    return coding().uncodedBytes();
  }

  @Override
  public long getCompressedBytes() {
    return coding().codedBytes();
  }

  @Override
  public double getCompressionRatio() {
    return coding().ratio();
  }

  private CodingFigures coding() {
    return account.sums().traffic().coding();
  }

  @Override
  public long getPlainBytes() {
    return account.sums().plainBytes();
  }

  @Override
  public long getLookupsAnswered() {
    return account.sums().lookups();
  }

  @Override
  public long getLeaseCallsAnswered() {
    return account.sums().leaseCalls();
  }

  @Override
  public long getPingsAnswered() {
    return account.sums().pings();
  }

  @Override
  public long getCallbacks() {
    return account.sums().callbacks();
  }

  @Override
  public long getCallbackPorts() {
    return account.sums().callbackPorts();
  }

  @Override
  public long getCallbackPortsLost() {
    return account.sums().callbackPortsLost();
  }

  @Override
  public long getLeasesHeld() {
    return account.sums().leases();
  }

  @Override
  public long getOpaqueConnections() {
    return account.sums().opaqueConnections();
  }

  @Override
  public long getOpaqueBytes() {
    return account.sums().opaqueBytes();
  }
}
