package io.rmigate.sample;

/** Answers with constants: all that is measured is the call. */
public class ConstantPerformanceTester implements PerformanceTester {
  @Override
  public void ping() {}

  @Override
  public int getInt() {
    return 1_234_567;
  }

  @Override
  public short getShort() {
    return 12_345;
  }

  @Override
  public long getLong() {
    return 1_234_567_890_123L;
  }

  @Override
  public float getFloat() {
    return 1234.5f;
  }

  @Override
  public double getDouble() {
    return 1234.56789;
  }

  @Override
  public boolean getBoolean() {
    return true;
  }

  @Override
  public byte getByte() {
    return 123;
  }

  @Override
  public String getString() {
    return "the quick brown fox";
  }
}
