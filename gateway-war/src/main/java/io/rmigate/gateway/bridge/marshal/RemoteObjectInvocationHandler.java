package io.rmigate.gateway.bridge.marshal;

import io.rmigate.protocol.jrmp.message.LiveReference;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;

/**
 * Stands in for {@code java.rmi.server.RemoteObjectInvocationHandler}: a reference that makes no
 * calls by itself. Equal to others of the same object at the same endpoint.
 */
final class RemoteObjectInvocationHandler extends RemoteObject implements InvocationHandler {
  /** The serialVersionUID of the JDK's class. */
  private static final long serialVersionUID = 2L;

  RemoteObjectInvocationHandler(LiveReference reference) {
    super(reference);
  }

  @Override
  public Object invoke(Object proxy, Method method, Object[] arguments) {
    return switch (method.getName()) {
      case "equals" -> {
        RemoteObjectInvocationHandler other = ReferenceProxies.handler(arguments[0]);
        yield other != null && isSame(other.reference());
      }
      case "hashCode" -> reference().object().hashCode();
      case "toString" -> "reference to " + reference();
      default -> throw new UnsupportedOperationException("calls of references go by the gateway");
    };
  }

  private boolean isSame(LiveReference other) {
    LiveReference mine = reference();
    return mine.object().equals(other.object())
        && mine.port() == other.port()
        && mine.host().equals(other.host());
  }
}
