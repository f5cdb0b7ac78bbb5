package io.rmigate.gateway.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.scan.shape.Shape;
import io.rmigate.gateway.scan.shape.Shapes;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Modifier;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Being a value of the JDK is a decision, not a consequence of being known. */
class ValueTypesTest {

  /** Each of these reaches for something, or carries something else in bytes. */
  @Test
  void whatReachesOutOrHidesAnotherStreamIsNone() {
    assertThat(ValueTypes.NAMES)
        .doesNotContain(
            "java.rmi.MarshalledObject",
            "java.security.SignedObject",
            "javax.crypto.SealedObject",
            "java.net.URL",
            "java.net.InetAddress",
            "java.net.Inet4Address",
            "java.io.File",
            "java.util.regex.Pattern",
            "java.util.Collections$CopiesList",
            "java.lang.invoke.SerializedLambda",
            "java.rmi.server.UnicastRemoteObject",
            "java.rmi.server.RemoteServer",
            "sun.rmi.server.UnicastRef",
            "javax.rmi.ssl.SslRMIClientSocketFactory")
        .noneMatch(name -> name.startsWith("javax."));
  }

  /** Those without shapes are refused as objects, wherever they stand. */
  @Test
  void whatHasNoShapeIsAnInterfaceOrCannotBeWrittenAsItself() throws Exception {
    Set<String> shaped = Shapes.ofJdk().all().stream().map(Shape::name).collect(Collectors.toSet());
    for (String name : ValueTypes.NAMES) {
      if (!shaped.contains(name) && name.contains(".")) {
        Class<?> type = Class.forName(name);
        assertThat(
                type.isInterface()
                    || Modifier.isAbstract(type.getModifiers())
                    || type == Object.class
                    || type.getPackageName().equals("java.time"))
            .as(name)
            .isTrue();
        assertThat(InvocationHandler.class.isAssignableFrom(type)).isFalse();
      }
    }
  }
}
