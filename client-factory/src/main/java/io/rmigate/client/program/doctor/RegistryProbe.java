package io.rmigate.client.program.doctor;

import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.MessageGrammar;
import io.rmigate.protocol.jrmp.ModifiedUtf8;
import io.rmigate.protocol.jrmp.StreamObserver;
import io.rmigate.protocol.jrmp.message.CallHeader;
import io.rmigate.protocol.jrmp.message.LiveReference;
import io.rmigate.protocol.jrmp.message.RegistryCall;
import io.rmigate.protocol.jrmp.message.StubView;
import io.rmigate.protocol.jrmp.message.ThrownView;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Questions to registries, and to objects whether they are there. Deserializes nothing. */
final class RegistryProbe {
  private static final int MAX_NAMES = 10_000;

  private final Access access;
  private final Duration patience;

  RegistryProbe(Access access, Duration patience) {
    this.access = access;
    this.patience = patience;
  }

  /** An answer of the registry: the requested value, or the exception that came instead. */
  record Answer<T>(Optional<T> value, Optional<ThrownView> thrown) {}

  /** The names that the registry has bound. */
  Answer<List<String>> list(EndpointId registry) throws IOException {
    byte[] answer = ask(registry, RegistryCall.list());
    Optional<ThrownView> thrown = ThrownView.of(answer, 0, answer.length);
    return new Answer<>(
        thrown.isPresent() ? Optional.empty() : Optional.of(strings(answer)), thrown);
  }

  /** The stub to which {@code name} is bound. */
  Answer<StubView> lookup(EndpointId registry, String name) throws IOException {
    byte[] answer = ask(registry, RegistryCall.lookup(name));
    Optional<ThrownView> thrown = ThrownView.of(answer, 0, answer.length);
    Optional<StubView> stub =
        thrown.isPresent() ? Optional.empty() : StubView.ofReturn(answer, 0, answer.length);
    if (thrown.isEmpty() && stub.isEmpty()) {
      throw new ProtocolViolationException("expected a stub, got something else");
    }
    return new Answer<>(stub, thrown);
  }

  /**
   * Whether the object of a stub can be called: by a method that no object has (its hash is 0), so
   * that nothing of the application is ever executed.
   *
   * @return the exception in the answer
   */
  Optional<ThrownView> touch(LiveReference reference) throws IOException {
    byte[] answer =
        ask(
            new EndpointId(reference.host(), reference.port()),
            new CallHeader(reference.object(), -1, 0).encodeCall());
    return ThrownView.of(answer, 0, answer.length);
  }

  private byte[] ask(EndpointId endpoint, byte[] call) throws IOException {
    try (RmiConversation conversation =
        RmiConversation.begin(access.open(endpoint, patience), patience)) {
      return conversation.call(call);
    }
  }

  private static List<String> strings(byte[] answer) {
    List<String> names = new ArrayList<>();
    MessageGrammar.endOfReply(
        answer,
        0,
        answer.length,
        new StreamObserver() {
          private int annotations;
          private final java.util.ArrayDeque<Boolean> open = new java.util.ArrayDeque<>();

          @Override
          public void beginAnnotation(io.rmigate.protocol.jrmp.StreamClass descriptor) {
            open.push(true);
            annotations++;
          }

          @Override
          public void beginArray(
              int handle, io.rmigate.protocol.jrmp.StreamClass type, int length, int at) {
            open.push(false);
          }

          @Override
          public void beginObject(int handle, io.rmigate.protocol.jrmp.StreamClass type) {
            open.push(false);
          }

          @Override
          public void beginEnum(int handle, io.rmigate.protocol.jrmp.StreamClass type) {
            open.push(false);
          }

          @Override
          public void onEnd() {
            if (Boolean.TRUE.equals(open.poll())) {
              annotations--;
            }
          }

          @Override
          public void onString(int handle, int at, int length) {
            if (annotations == 0 && names.size() < MAX_NAMES) {
              names.add(ModifiedUtf8.decode(answer, at, length));
            }
          }
        });
    return names.stream().sorted().toList();
  }
}
