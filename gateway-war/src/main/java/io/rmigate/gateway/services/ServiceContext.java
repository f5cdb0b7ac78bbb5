package io.rmigate.gateway.services;

import io.rmigate.gateway.audit.AuditTrail;
import io.rmigate.gateway.bridge.BridgeCalls;

/** The parts that all requests share. */
record ServiceContext(
    Services services,
    BridgeCalls bridge,
    Dispatch dispatch,
    Catalogue catalogue,
    ServiceMeters meters,
    AuditTrail audit) {}
