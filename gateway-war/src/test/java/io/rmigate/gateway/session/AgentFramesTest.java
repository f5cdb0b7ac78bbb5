package io.rmigate.gateway.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.protocol.tunnel.Frame;
import org.junit.jupiter.api.Test;

/** An open session knows what to do with each frame. */
class AgentFramesTest {

  @Test
  void eachTypeOfFrameHasAHandler() {
    assertThat(AgentFrames.types()).map(Class::getName).containsExactlyInAnyOrder(permitted());
  }

  private static String[] permitted() {
    Class<?>[] permitted = Frame.class.getPermittedSubclasses();
    String[] names = new String[permitted.length];
    for (int i = 0; i < names.length; i++) {
      names[i] = permitted[i].getName();
    }
    return names;
  }
}
