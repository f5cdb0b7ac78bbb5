package io.rmigate.java8;

import java.io.ObjectInputFilter;

/** Sets the filter of the JVM. */
final class SerialFilters {
  private SerialFilters() {}

  static void set(LaterObjectInputFilter filter) {
    ObjectInputFilter.Config.setSerialFilter(
        info -> ObjectInputFilter.Status.valueOf(filter.checkInput(new Info(info)).name()));
  }

  private static final class Info implements LaterObjectInputFilter.FilterInfo {
    private final ObjectInputFilter.FilterInfo info;

    Info(ObjectInputFilter.FilterInfo info) {
      this.info = info;
    }

    @Override
    public Class<?> serialClass() {
      return info.serialClass();
    }

    @Override
    public long arrayLength() {
      return info.arrayLength();
    }

    @Override
    public long depth() {
      return info.depth();
    }

    @Override
    public long references() {
      return info.references();
    }
  }
}
