package io.rmigate.gateway.container;

import io.rmigate.gateway.testing.GatewayKind;
import io.rmigate.testing.Tier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The contract over POST in Tomcat, plain and over TLS. */
@Tag(Tier.FULL)
class TomcatPostTunnelIT extends PostTunnelContract {
  @ParameterizedTest
  @CsvSource({"TOMCAT_10,false", "TOMCAT_11,true"})
  void rmiByPostsIsRmiInTomcat(GatewayKind kind, boolean tls) throws Throwable {
    rmiByPostsIsRmi(kind, tls);
  }
}
