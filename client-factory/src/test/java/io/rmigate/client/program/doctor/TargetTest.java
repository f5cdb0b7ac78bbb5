package io.rmigate.client.program.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rmigate.client.config.ClientConfigException;
import io.rmigate.protocol.jrmp.EndpointId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TargetTest {

  @ParameterizedTest
  @CsvSource({
    "rmi://a.example:1100/x, a.example, 1100, x, false",
    "rmi://a.example/x, a.example, 1099, x, false",
    "//a.example:1100/dir/x, a.example, 1100, dir/x, false",
    "a.example:1100/x, a.example, 1100, x, false",
    "rmi:///x, localhost, 1099, x, false",
    "rmi://[fd00::1]:1100/x, fd00::1, 1100, x, false",
    "'rmi://[::1%lo]:1100/x', '::1%lo', 1100, x, false",
    "rmi://my_app_1:1100/x, my_app_1, 1100, x, false",
    "a.example:1100, a.example, 1100, '', false",
    "service:jmx:rmi:///jndi/rmi://a.example:9010/jmxrmi, a.example, 9010, jmxrmi, true",
    "service:jmx:rmi://other:7/jndi/rmi://a.example:9010/jmxrmi, a.example, 9010, jmxrmi, true",
  })
  void namesInRegistries(String text, String host, int port, String name, boolean management) {
    assertThat(Target.parse(text))
        .isEqualTo(new Target.Bound(text, new EndpointId(host, port), name, management));
  }

  @Test
  void stubWithinAnUrl() {
    Target target = Target.parse("service:jmx:rmi:///stub/rO0ABXA=");

    assertThat(((Target.Serialized) target).stream()).startsWith(0xAC, 0xED, 0, 5);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "rmi://a:0/x",
        "rmi://[::1%]:1099/x",
        "//[nothing]:1099/x",
        "rmi://a b:1099/x",
        "rmi://a:70000/x",
        "http://a/x",
        "service:jmx:jmxmp://a:1",
        "service:jmx:rmi:///stub/*"
      })
  void anythingElseIsRefused(String text) {
    assertThatThrownBy(() -> Target.parse(text))
        .isInstanceOf(ClientConfigException.class)
        .hasMessageContaining(text);
  }
}
