package io.rmigate.java8;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** Sets the filter of the JVM, which Java 8 has since 8u121 under another name. */
final class SerialFilters {
  private SerialFilters() {}

  static void set(LaterObjectInputFilter filter) {
    try {
      Class<?> type = Class.forName("sun.misc.ObjectInputFilter");
      Class<?> infoType = Class.forName("sun.misc.ObjectInputFilter$FilterInfo");
      Class<?> status = Class.forName("sun.misc.ObjectInputFilter$Status");
      Object ofJvm =
          Proxy.newProxyInstance(
              SerialFilters.class.getClassLoader(),
              new Class<?>[] {type},
              (proxy, method, arguments) ->
                  method.getName().equals("checkInput")
                      ? status
                          .getField(filter.checkInput(new Info(infoType, arguments[0])).name())
                          .get(null)
                      : method.invoke(filter, arguments));
      Class.forName("sun.misc.ObjectInputFilter$Config")
          .getMethod("setSerialFilter", type)
          .invoke(null, ofJvm);
    } catch (InvocationTargetException e) {
      throw new IllegalStateException(e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new UnsupportedOperationException(
          "this Java ("
              + System.getProperty("java.version")
              + ") has no serial filter: 8u121 or later is needed",
          e);
    }
  }

  /** What the JVM tells a filter, read by reflection. */
  private static final class Info implements LaterObjectInputFilter.FilterInfo {
    private final Class<?> type;
    private final Object info;

    Info(Class<?> type, Object info) {
      this.type = type;
      this.info = info;
    }

    @Override
    public Class<?> serialClass() {
      return (Class<?>) get("serialClass");
    }

    @Override
    public long arrayLength() {
      return (Long) get("arrayLength");
    }

    @Override
    public long depth() {
      return (Long) get("depth");
    }

    @Override
    public long references() {
      return (Long) get("references");
    }

    private Object get(String name) {
      try {
        return type.getMethod(name).invoke(info);
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
