package io.rmigate.perf.services;

import io.rmigate.sample.ConstantPerformanceTester;
import jakarta.jws.WebService;

/** The sample's constant answers, as Metro publishes them. */
@WebService(
    endpointInterface = "io.rmigate.perf.services.TesterPort",
    targetNamespace = TesterPort.NAMESPACE,
    serviceName = TesterPort.SERVICE,
    portName = "Soap11")
public final class ConstantTester extends ConstantPerformanceTester implements TesterPort {}
