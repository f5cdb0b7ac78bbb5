package io.rmigate.client.config;

/**
 * The configuration cannot be used. The message is one line for the person who wrote it: which key,
 * where it was set, what is allowed. It never contains a secret.
 */
public final class ClientConfigException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /** With that line. */
  public ClientConfigException(String message) {
    super(message);
  }

  /** The value of {@code key}, set in {@code source}, is not what the key takes. */
  static ClientConfigException of(ConfigKey key, ConfigSource source, String problem) {
    return new ClientConfigException(source.describe(key.key()) + ": " + problem);
  }
}
