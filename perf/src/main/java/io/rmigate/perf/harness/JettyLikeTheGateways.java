package io.rmigate.perf.harness;

import java.util.function.Consumer;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/**
 * A server with the settings of {@code io.rmigate.gateway.standalone.EmbeddedServer}, for the
 * systems that the gateway is compared with.
 */
public final class JettyLikeTheGateways {
  private static final int MAX_THREADS = 64;
  private static final int HEADER_BYTES = 16 * 1024;

  private JettyLikeTheGateways() {}

  /**
   * Starts it over plain HTTP on loopback; it ends with the JVM.
   *
   * @param contents adds servlets to the context at {@code /}
   * @return its port
   */
  public static int start(Consumer<ServletContextHandler> contents) throws Exception {
    QueuedThreadPool threads = new QueuedThreadPool(MAX_THREADS, 4);
    threads.setName("compared-http");
    threads.setDaemon(true);
    Server server = new Server(threads);
    HttpConfiguration http = new HttpConfiguration();
    http.setSendServerVersion(false);
    http.setSendXPoweredBy(false);
    http.setRequestHeaderSize(HEADER_BYTES);
    http.setResponseHeaderSize(HEADER_BYTES);
    int selectors = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
    ServerConnector connector =
        new ServerConnector(server, 1, selectors, new HttpConnectionFactory(http));
    connector.setHost("127.0.0.1");
    connector.setPort(0);
    connector.setAcceptQueueSize(1024);
    server.addConnector(connector);
    ServletContextHandler context = new ServletContextHandler();
    context.setContextPath("/");
    contents.accept(context);
    server.setHandler(context);
    server.start();
    return connector.getLocalPort();
  }
}
