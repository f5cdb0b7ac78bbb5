package io.rmigate.gateway.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.view.Savings;
import io.rmigate.protocol.tunnel.Report;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What agents say of themselves, as the admin view and the metrics show it. */
class ReportTest {
  @RegisterExtension final SessionBed bed = new SessionBed();

  @Test
  void theLatestReportOfASessionIsShown() {
    TestAgent agent = bed.agent();

    agent.say(new Report(9, 900, 3, 1, 2, 3, 40), new Report(19, 1900, 13, 2, 3, 4, 30));

    assertThat(shown()).isEqualTo(new Savings(19, 13, 1900, 2, 3, 4, 30));
    assertThat(bed.saved()).isEqualTo(shown());
  }

  @Test
  void sumsNeverFallWhateverAnAgentSays() {
    TestAgent agent = bed.agent();
    agent.say(new Report(9, 900, 3, 1, 2, 3, 40));

    agent.say(new Report(0, 0, 0, 0, 0, 0, 0));

    assertThat(shown()).isEqualTo(new Savings(9, 3, 900, 1, 2, 3, 0));
    assertThat(bed.saved()).isEqualTo(shown());
  }

  @Test
  void whatSessionsReportIsAddedUp() {
    bed.agent().say(new Report(1, 10, 1, 0, 0, 0, 5));
    bed.agent().say(new Report(2, 20, 1, 0, 0, 0, 6));

    assertThat(bed.saved()).isEqualTo(new Savings(3, 2, 30, 0, 0, 0, 11));
  }

  private Savings shown() {
    return bed.registry().sessions().get(0).saved();
  }
}
