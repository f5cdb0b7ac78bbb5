package io.rmigate.perf.speed;

import com.sun.management.ThreadMXBean;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** Looks at the allocation of another JVM, through JMX; what looking itself allocates is known. */
final class RemoteAllocation implements AutoCloseable {
  private final JMXConnector connector;
  private final ThreadMXBean threads;

  private AllocatedBytes start;
  private long selfBytes;

  private RemoteAllocation(JMXConnector connector) throws IOException {
    this.connector = connector;
    this.threads =
        ManagementFactory.newPlatformMXBeanProxy(
            connector.getMBeanServerConnection(),
            ManagementFactory.THREAD_MXBEAN_NAME,
            ThreadMXBean.class);
  }

  @SuppressWarnings("BanJNDI") // the address is our own child's, on this machine
  static RemoteAllocation of(long pid) throws IOException {
    try {
      VirtualMachine machine = VirtualMachine.attach(Long.toString(pid));
      try {
        return new RemoteAllocation(
            JMXConnectorFactory.connect(new JMXServiceURL(machine.startLocalManagementAgent())));
      } finally {
        machine.detach();
      }
    } catch (AttachNotSupportedException e) {
      throw new IOException("cannot look into process " + pid, e);
    }
  }

  void begin() {
    AllocatedBytes first = AllocatedBytes.of(threads);
    start = AllocatedBytes.of(threads);
    selfBytes = start.since(first);
  }

  /** Bytes since {@link #begin}. */
  long end() {
    return Math.max(0, AllocatedBytes.of(threads).since(start) - selfBytes);
  }

  @Override
  public void close() throws IOException {
    connector.close();
  }
}
