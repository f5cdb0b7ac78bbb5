package io.rmigate.perf.services;

import io.rmigate.sample.PerformanceTester;
import jakarta.xml.ws.Service;
import java.io.IOException;
import java.net.URI;
import javax.xml.namespace.QName;

/** The contract, from which ports are made without another look at it. */
public final class SoapService {
  private final Service service;

  /**
   * Reads the WSDL.
   *
   * @param address of the endpoint
   */
  public SoapService(String address) throws IOException {
    service =
        Service.create(
            URI.create(address + "?wsdl").toURL(),
            new QName(TesterPort.NAMESPACE, TesterPort.SERVICE));
  }

  /** Makes a port; one at a time, since Metro's services are not thread-safe. */
  public synchronized PerformanceTester tester() {
    return new SoapTester(service.getPort(TesterPort.class));
  }
}
