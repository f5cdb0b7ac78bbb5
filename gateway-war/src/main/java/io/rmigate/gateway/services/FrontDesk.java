package io.rmigate.gateway.services;

import io.rmigate.gateway.audit.AuditTrail;
import io.rmigate.gateway.bridge.BridgeCalls;

/** What every request needs. */
record FrontDesk(
    Services services,
    BridgeCalls bridge,
    Dispatch dispatch,
    Catalogue catalogue,
    ServiceMeters meters,
    AuditTrail audit) {}
