package io.rmigate.perf.services;

import io.rmigate.perf.harness.JettyLikeTheGateways;
import java.util.concurrent.CountDownLatch;
import org.eclipse.jetty.ee10.servlet.ServletHolder;

/**
 * A {@link TesterPort} that Metro serves by itself: what SOAP costs without RMI behind it. Prints
 * {@code metro ready <URL>} and runs until it is ended.
 */
public final class MetroHost {
  private static final String PATH = "/tester";

  private MetroHost() {}

  /** See the class comment. */
  public static void main(String[] args) throws Exception {
    int port =
        JettyLikeTheGateways.start(
            context -> context.addServlet(new ServletHolder(new MetroServlet(PATH)), PATH));
    System.out.println("metro ready http://127.0.0.1:" + port + PATH);
    new CountDownLatch(1).await();
  }
}
