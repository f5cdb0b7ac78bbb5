package io.rmigate.perf.services;

import jakarta.jws.WebResult;
import jakarta.jws.WebService;

/**
 * {@link io.rmigate.sample.PerformanceTester} as rmigate's WSDL describes it, for Metro on either
 * side. No annotation would be needed for the gateway.
 */
@WebService(name = "PerformanceTester", targetNamespace = TesterPort.NAMESPACE)
public interface TesterPort {
  /** The namespace that soap-bridge/XML.md derives from the interface's name. */
  String NAMESPACE = "urn:rmigate:contract:io.rmigate.sample.PerformanceTester";

  /** Name of the service in rmigate's WSDL. */
  String SERVICE = "PerformanceTesterService";

  void ping();

  @WebResult(name = "return")
  int getInt();

  @WebResult(name = "return")
  short getShort();

  @WebResult(name = "return")
  long getLong();

  @WebResult(name = "return")
  float getFloat();

  @WebResult(name = "return")
  double getDouble();

  @WebResult(name = "return")
  boolean getBoolean();

  @WebResult(name = "return")
  byte getByte();

  @WebResult(name = "return")
  String getString();
}
