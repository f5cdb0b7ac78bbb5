package io.rmigate.perf.harness;

import io.rmigate.testing.TestTimes;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestPlan;

/** Has JUnit count the JVMs that tests start by {@link ChildJvm}. */
public final class StartedJvms implements TestExecutionListener {
  @Override
  public void testPlanExecutionStarted(TestPlan plan) {
    ChildJvm.onStart(TestTimes::countJvm);
  }
}
