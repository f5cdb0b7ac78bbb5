package io.rmigate.gateway.bridge.marshal;

import io.rmigate.protocol.jrmp.message.LiveReference;
import java.lang.reflect.Proxy;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Remote references as the objects that arguments and results have in their place. */
public final class ReferenceProxies {
  private ReferenceProxies() {}

  /**
   * The reference behind an object of a result.
   *
   * @return empty if it is none
   */
  public static Optional<LiveReference> reference(Object object) {
    return Optional.ofNullable(handler(object)).map(RemoteObject::reference);
  }

  /** Null for what is no reference. */
  static RemoteObjectInvocationHandler handler(Object object) {
    return object != null
            && Proxy.isProxyClass(object.getClass())
            && Proxy.getInvocationHandler(object) instanceof RemoteObjectInvocationHandler handler
            && handler.reference() != null
        ? handler
        : null;
  }

  /** The names of the interfaces that a reference has. */
  public static List<String> interfaces(Object reference) {
    return Stream.of(reference.getClass().getInterfaces()).map(Class::getName).toList();
  }

  /**
   * A reference as an object.
   *
   * @param interfaces names; interfaces that the publication lacks are left out
   * @return empty when they do not fit together any more
   */
  public static Optional<Object> proxy(
      AnswerClasses classes, Collection<String> interfaces, LiveReference reference) {
    try {
      return Optional.of(
          Proxy.newProxyInstance(
              classes.loader(),
              classes.stubClass(interfaces).getInterfaces(),
              new RemoteObjectInvocationHandler(reference)));
    } catch (AnswerRefusedException unfit) {
      return Optional.empty();
    }
  }
}
