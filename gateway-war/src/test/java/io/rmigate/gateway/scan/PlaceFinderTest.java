package io.rmigate.gateway.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.protocol.jrmp.StreamObserver;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Finding a place scans a message once more: with the same questions and answers as before. */
class PlaceFinderTest {
  static Stream<Method> questionsAndEvents() throws ReflectiveOperationException {
    Method superseded = StreamObserver.class.getMethod("onReference", int.class);
    return Arrays.stream(StreamObserver.class.getMethods())
        .filter(method -> !method.equals(superseded));
  }

  @ParameterizedTest
  @MethodSource("questionsAndEvents")
  void eachQuestionAndEventOfTheParserReachesTheWatch(Method method) throws Exception {
    Method its = PlaceFinder.class.getMethod(method.getName(), method.getParameterTypes());

    assertThat(its.getDeclaringClass()).isEqualTo(PlaceFinder.class);
  }
}
