package io.rmigate.client.async;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.rmi.Remote;
import java.util.Arrays;

/**
 * Finds out which remote method a function calls, and with which arguments: runs it on a proxy that
 * calls nothing. Confined to one thread.
 */
final class CallRecorder implements InvocationHandler {
  private final Object stub;
  private Method method;
  private Object[] arguments;

  private CallRecorder(Object stub) {
    this.stub = stub;
  }

  /**
   * Runs the function on the calling thread.
   *
   * @param stub answers the methods of {@link Object}
   * @throws IllegalArgumentException the function does not call exactly one remote method, or does
   *     something with its result
   */
  static <T> CallRecorder record(T stub, StubReference of, RemoteAction<? super T> function) {
    CallRecorder recorder = new CallRecorder(stub);
    @SuppressWarnings("unchecked") // it has all remote interfaces of the stub
    T proxy = (T) Proxy.newProxyInstance(of.loader(), of.interfaces(), recorder);
    try {
      function.call(proxy);
    } catch (Exception failed) {
      throw new IllegalArgumentException(
          recorder.method == null
              ? "the function has thrown an exception before it called a remote method"
              : "the function must return the result as it is: it stands for one that is not known"
                  + " yet",
          failed);
    }
    if (recorder.method == null) {
      throw new IllegalArgumentException("the function has called no remote method");
    }
    return recorder;
  }

  Method method() {
    return method;
  }

  Object[] arguments() {
    return arguments;
  }

  @Override
  public Object invoke(Object proxy, Method called, Object[] its) throws Throwable {
    if (called.getDeclaringClass() == Object.class) {
      return called.getName().equals("equals") ? proxy == its[0] : called.invoke(stub, its);
    }
    if (!Remote.class.isAssignableFrom(called.getDeclaringClass())) {
      throw new IllegalArgumentException("no remote method: " + called);
    }
    if (method != null) {
      throw new IllegalArgumentException(
          "the function must call one method, and calls " + method + " and " + called);
    }
    method = called;
    arguments = its == null ? new Object[0] : Arrays.copyOf(its, its.length);
    return nothing(called.getReturnType());
  }

  /** Null, zero or false. */
  private static Object nothing(Class<?> type) {
    return type.isPrimitive() && type != void.class
        ? java.lang.reflect.Array.get(java.lang.reflect.Array.newInstance(type, 1), 0)
        : null;
  }
}
