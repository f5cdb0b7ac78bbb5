package io.rmigate.gateway.lookup;

import static io.rmigate.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.lease.Leases;
import io.rmigate.gateway.policy.WholeReply;
import io.rmigate.gateway.relay.address.AddressRule;
import io.rmigate.gateway.relay.address.Target;
import io.rmigate.protocol.jrmp.message.LiveReferenceScan;
import java.io.ByteArrayOutputStream;
import java.io.ObjectOutputStream;
import java.nio.ByteBuffer;
import java.rmi.Remote;
import java.rmi.server.UnicastRemoteObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What many names cost that are bound in one registry. */
class WatchedRegistryTest {
  private static final int MANY = 2000;

  private static final class Exported implements Remote {}

  private final Exported exported = new Exported();
  private final AtomicInteger concerned = new AtomicInteger();
  private final AtomicInteger answers = new AtomicInteger();
  private Consumer<Map<WatchedBinding, WatchedName>> whenAnswered = its -> {};
  private WatchedRegistry registry;
  private byte[] stub;
  private int numberAt;

  @BeforeEach
  void begin() throws Exception {
    Remote exportedStub = UnicastRemoteObject.exportObject(exported, 0);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(exportedStub);
    }
    stub = bytes.toByteArray();
    numberAt = indexOf(LiveReferenceScan.scan(stub, 0, stub.length).get(0).object().objNum());
    registry =
        new WatchedRegistry(
            new Target("inside", 1099, AddressRule.NAMED, PATIENCE, PATIENCE),
            Leases.off(),
            (endpoint, object) -> Optional.empty(), // all leases are refused, and at once
            answer -> {
              answers.incrementAndGet();
              Map<WatchedBinding, WatchedName> its = registry.answered(answer.number());
              concerned.addAndGet(its.size());
              whenAnswered.accept(its);
            });
  }

  @AfterEach
  void end() throws Exception {
    UnicastRemoteObject.unexportObject(exported, true);
  }

  private int indexOf(long number) {
    for (int at = 0; ; at++) {
      if (ByteBuffer.wrap(stub).getLong(at) == number) {
        return at;
      }
    }
  }

  /** A binding of the object with this number. */
  private WatchedBinding binding(long number) {
    byte[] message = stub.clone();
    ByteBuffer.wrap(message).putLong(numberAt, number);
    return new WatchedBinding(new WholeReply(message));
  }

  private WatchedName name(int number) {
    return new WatchedName(registry, "name" + number);
  }

  @Test
  void anAnswerLeadsToWhatNeedsItsObjectAndToNothingElse() {
    List<WatchedBinding> bindings = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      bindings.add(binding(i));
      registry.hold(name(i), bindings.get(i));
    }
    assertThat(answers).hasValue(MANY);
    assertThat(concerned).hasValue(MANY);

    bindings.forEach(registry::release);
    assertThat(registry.isUnneeded()).isTrue();
  }

  @Test
  void severalNamesShareTheLeaseOfAnObject() {
    WatchedBinding one = binding(1);
    WatchedBinding other = binding(1);
    registry.hold(name(1), one);
    registry.hold(name(2), other);
    assertThat(answers).hasValue(1);

    registry.release(one);
    assertThat(registry.isUnneeded()).isFalse();
    registry.release(other);
    assertThat(registry.isUnneeded()).isTrue();
    registry.hold(name(1), one);
    assertThat(answers).hasValue(2);
  }

  @Test
  void whatIsReleasedWhileItIsTakenIsNotHeld() {
    whenAnswered = its -> its.keySet().forEach(registry::release);

    registry.hold(name(1), binding(1));
    assertThat(registry.isUnneeded()).isTrue();

    registry.hold(name(1), binding(1)); // nor has that spoilt the count of those who need it
    assertThat(answers).hasValue(2);
    assertThat(registry.isUnneeded()).isTrue();
  }
}
