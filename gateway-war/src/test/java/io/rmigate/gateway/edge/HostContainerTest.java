package io.rmigate.gateway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostContainerTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "jetty/12.1.13",
        "jetty/12.1.8",
        "Jetty/12.1.0.beta1",
        "jetty/12.0.99",
        "jetty/11.2.20",
        "jetty/9.4.58.v20250814"
      })
  void aJettyBeforeTheFixIsWeak(String name) {
    assertThat(new HostContainer(name).weakness())
        .hasValueSatisfying(
            why -> assertThat(why).contains(name, "install Jetty 12.1.14 or newer"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"jetty/12.1.14", "jetty/12.1.20", "jetty/12.2.0", "jetty/13.0.0.beta1"})
  void aLaterJettyIsNot(String name) {
    assertThat(new HostContainer(name).weakness()).isEmpty();
  }

  @Test
  void ofOthersNothingIsKnown() {
    assertThat(new HostContainer("Apache Tomcat/10.1.34").weakness()).isEmpty();
    assertThat(new HostContainer("null").weakness()).isEmpty();
  }
}
