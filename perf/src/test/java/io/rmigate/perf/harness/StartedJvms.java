package io.rmigate.perf.harness;

import io.rmigate.testing.TestTimes;
import java.util.List;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestPlan;

/**
 * Has JUnit count the JVMs that tests start by {@link ChildJvm}, and start them with the options of
 * the JVMs that run tests: short-lived ones end before a longer compilation has paid.
 */
public final class StartedJvms implements TestExecutionListener {
  @Override
  public void testPlanExecutionStarted(TestPlan plan) {
    ChildJvm.onStart(TestTimes::countJvm);
    ChildJvm.options(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
  }
}
