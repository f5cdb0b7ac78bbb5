package io.rmigate.soap.soap;

import com.sun.xml.ws.api.BindingID;
import com.sun.xml.ws.api.SOAPVersion;
import com.sun.xml.ws.api.WSBinding;
import com.sun.xml.ws.api.message.Message;
import com.sun.xml.ws.api.message.Packet;
import com.sun.xml.ws.api.server.Container;
import com.sun.xml.ws.api.server.Invoker;
import com.sun.xml.ws.api.server.WSEndpoint;
import com.sun.xml.ws.api.server.WSEndpoint.PipeHead;
import com.sun.xml.ws.api.server.WSWebServiceContext;
import com.sun.xml.ws.binding.BindingImpl;
import java.lang.reflect.Method;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.xml.namespace.QName;

/**
 * One of Metro's endpoints, for all contracts of one SOAP version: it knows nothing of any. Calls
 * are made by the thread that comes with them. Thread-safe.
 */
final class MetroEndpoint {
  private static final String NAMESPACE = "urn:rmigate:service";
  private static final String EXCHANGE = "io.rmigate.soap.exchange";

  private final WSEndpoint<ServiceProvider> endpoint;

  /** Unused pipes. There are as many pipes as there were calls at a time. */
  private final Queue<PipeHead> pipes = new ConcurrentLinkedQueue<>();

  MetroEndpoint(SOAPVersion version) {
    WSBinding binding =
        BindingImpl.create(
            version == SOAPVersion.SOAP_11 ? BindingID.SOAP11_HTTP : BindingID.SOAP12_HTTP);
    // Metro finds its own parts through the context loader; that of a container's thread may be
    // another application's.
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(MetroEndpoint.class.getClassLoader());
    try {
      endpoint =
          WSEndpoint.create(
              ServiceProvider.class,
              false,
              new ExchangeInvoker(),
              new QName(NAMESPACE, "Service"),
              new QName(NAMESPACE, "Port"),
              Container.NONE,
              binding,
              null,
              null,
              null,
              true);
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  /**
   * Sends a request through Metro to its exchange, which keeps the answer: Metro's pipes give out
   * another message that wraps it.
   */
  void process(Message request, SoapCall exchange) {
    Packet packet = new Packet(request);
    packet.invocationProperties.put(EXCHANGE, exchange);
    PipeHead pipe = pipes.poll();
    if (pipe == null) {
      pipe = endpoint.createPipeHead();
    }
    pipe.process(packet, null, null);
    pipes.offer(pipe);
  }

  private static final class ExchangeInvoker extends Invoker {
    @Override
    @SuppressWarnings("rawtypes")
    public void start(WSWebServiceContext context, WSEndpoint endpoint) {
      // There is no instance into which it could be injected.
    }

    @Override
    public Object invoke(Packet packet, Method method, Object... arguments) {
      throw new AssertionError(method);
    }

    @Override
    @SuppressWarnings("unchecked")
    public <T> T invokeProvider(Packet packet, T request) {
      SoapCall exchange = (SoapCall) packet.invocationProperties.get(EXCHANGE);
      exchange.accept((Message) request);
      return (T) exchange.answer().orElseThrow();
    }
  }
}
