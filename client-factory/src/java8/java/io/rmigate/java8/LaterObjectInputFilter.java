package io.rmigate.java8;

/** The interface java.io.ObjectInputFilter. */
public interface LaterObjectInputFilter {
  Status checkInput(FilterInfo info);

  /** The interface ObjectInputFilter.FilterInfo. */
  interface FilterInfo {
    Class<?> serialClass();

    long arrayLength();

    long depth();

    long references();
  }

  /** The enum ObjectInputFilter.Status. */
  enum Status {
    UNDECIDED,
    ALLOWED,
    REJECTED
  }

  /** The class ObjectInputFilter.Config. */
  final class Config {
    private Config() {}

    public static void setSerialFilter(LaterObjectInputFilter filter) {
      SerialFilters.set(filter);
    }
  }
}
