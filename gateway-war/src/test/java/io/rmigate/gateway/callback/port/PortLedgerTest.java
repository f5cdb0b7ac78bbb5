package io.rmigate.gateway.callback.port;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.callback.port.PortLedger.Answer;
import io.rmigate.gateway.callback.port.PortLedger.Claim;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** JRMP.md 2.7: no other session gets a freed port while stubs of it may exist. */
class PortLedgerTest {
  private static final long QUARANTINE = 1000;

  private final AtomicLong now = new AtomicLong();
  private final PortLedger ledger = new PortLedger(now::get);

  @Test
  void freedPortIsQuarantined() {
    assertThat(ledger.claim("ann", 5000, 9)).isEqualTo(Answer.GRANTED);
    ledger.free(5000, QUARANTINE);
    assertThat(ledger.isFree(5000)).isFalse();
    assertThat(ledger.claim("bob", 5000, 9)).isEqualTo(Answer.TAKEN);
    now.set(QUARANTINE - 1);
    assertThat(ledger.claim("bob", 5000, 9)).isEqualTo(Answer.TAKEN);
    now.set(QUARANTINE);
    assertThat(ledger.claim("bob", 5000, 9)).isEqualTo(Answer.GRANTED);
  }

  @Test
  void itsPrincipalGetsItBackFromQuarantine() {
    ledger.claim("ann", 5000, 1);
    assertThat(ledger.claim("ann", 5000, 1)).isEqualTo(Answer.TAKEN); // another session of hers
    ledger.free(5000, QUARANTINE);
    assertThat(ledger.isQuarantinedFor("ann", 5000)).isTrue();
    assertThat(ledger.isQuarantinedFor("bob", 5000)).isFalse();
    assertThat(ledger.claim("ann", 5000, 1)).isEqualTo(Answer.GRANTED);
  }

  @Test
  void portsInQuarantineCount() {
    ledger.claim("ann", 5000, 1);
    assertThat(ledger.claim("ann", 5001, 1)).isEqualTo(Answer.TOO_MANY);
    ledger.free(5000, QUARANTINE);
    assertThat(ledger.claim("ann", 5001, 1)).isEqualTo(Answer.TOO_MANY);
    assertThat(ledger.claim("bob", 5001, 1)).isEqualTo(Answer.GRANTED);
    now.set(QUARANTINE);
    assertThat(ledger.claimNothing("ann", 1).answer()).isEqualTo(Answer.GRANTED);
  }

  @Test
  void freePortIsFoundBehindTheOneBefore() {
    PortRange range = new PortRange(5000, 5003);
    ledger.claim("ann", 5002, 9);
    assertThat(ledger.claimFree("bob", range, 2, 9)).isEqualTo(new Claim(Answer.GRANTED, 5003));
    assertThat(ledger.claimFree("bob", range, 4, 9)).isEqualTo(new Claim(Answer.GRANTED, 5000));
    assertThat(ledger.claimFree("bob", range, 0, 2)).isEqualTo(new Claim(Answer.TOO_MANY, 0));
    assertThat(ledger.claimUnused("bob", 5000, 9)).isFalse();
    assertThat(ledger.claimUnused("bob", 5001, 9)).isTrue();
    assertThat(ledger.claimFree("eve", range, 0, 9)).isEqualTo(new Claim(Answer.TAKEN, 0));
  }

  @Test
  void whatChangesNoOwnerNeedsNotBeWritten() {
    ledger.claim("ann", 5000, 9);
    long version = ledger.version();
    ledger.free(5000, QUARANTINE);
    ledger.claim("ann", 5000, 9);
    assertThat(ledger.version()).isEqualTo(version);
    ledger.free(5000, QUARANTINE);
    now.set(QUARANTINE);
    assertThat(ledger.version()).isGreaterThan(version);
  }

  @Test
  void portThatCouldNotBeBoundIsAsItWas() {
    ledger.claim("ann", 5000, 9);
    ledger.giveBack(5000, false, QUARANTINE);
    assertThat(ledger.isFree(5000)).isTrue();
    ledger.claim("ann", 5000, 9);
    ledger.free(5000, QUARANTINE);
    ledger.claim("ann", 5000, 9);
    ledger.giveBack(5000, true, QUARANTINE);
    assertThat(ledger.isQuarantinedFor("ann", 5000)).isTrue();
  }

  @Test
  void whatAnotherGatewayHasWrittenIsQuarantinedAnew(@TempDir Path directory) throws Exception {
    PortFile file = new PortFile(directory.resolve("state").resolve("ports"));
    assertThat(file.read()).isEmpty();
    ledger.claim("BASIC ann\n5001 eve", 5000, 9);
    ledger.claim("BASIC böb", 5002, 9);
    file.write(ledger.owners());

    PortLedger next = new PortLedger(now::get);
    next.inherit(file.read(), QUARANTINE);
    assertThat(next.owners()).isEqualTo(Map.of(5000, "BASIC ann\n5001 eve", 5002, "BASIC böb"));
    assertThat(next.isFree(5001)).isTrue();
    assertThat(next.quarantined()).containsExactly(5000, 5002);
  }

  @Test
  void fileThatCannotBeReadIsNoReasonNotToStart(@TempDir Path directory) throws Exception {
    Path file = Files.writeString(directory.resolve("ports"), "no port\n");
    assertThat(new PortFile(file).read()).isEmpty();
  }
}
