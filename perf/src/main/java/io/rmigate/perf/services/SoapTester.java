package io.rmigate.perf.services;

import io.rmigate.sample.PerformanceTester;

/**
 * Calls by SOAP 1.1 with Metro, as {@link SoapService} makes it. Its port may be called by any
 * number of threads.
 */
public final class SoapTester implements PerformanceTester {
  private final TesterPort port;

  SoapTester(TesterPort port) {
    this.port = port;
  }

  @Override
  public void ping() {
    port.ping();
  }

  @Override
  public int getInt() {
    return port.getInt();
  }

  @Override
  public short getShort() {
    return port.getShort();
  }

  @Override
  public long getLong() {
    return port.getLong();
  }

  @Override
  public float getFloat() {
    return port.getFloat();
  }

  @Override
  public double getDouble() {
    return port.getDouble();
  }

  @Override
  public boolean getBoolean() {
    return port.getBoolean();
  }

  @Override
  public byte getByte() {
    return port.getByte();
  }

  @Override
  public String getString() {
    return port.getString();
  }
}
