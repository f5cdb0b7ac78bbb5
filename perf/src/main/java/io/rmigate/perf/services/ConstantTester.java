package io.rmigate.perf.services;

import jakarta.jws.WebService;

/** Answers with the sample's constants: all that is measured is the call. */
@WebService(
    endpointInterface = "io.rmigate.perf.services.TesterPort",
    targetNamespace = TesterPort.NAMESPACE,
    serviceName = TesterPort.SERVICE,
    portName = "Soap11")
public final class ConstantTester implements TesterPort {
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
