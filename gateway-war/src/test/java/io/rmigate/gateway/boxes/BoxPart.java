package io.rmigate.gateway.boxes;

/** One program of a box. */
interface BoxPart extends AutoCloseable {
  /** What it has written, for the message of a test that fails. */
  String logs();

  @Override
  void close();
}
