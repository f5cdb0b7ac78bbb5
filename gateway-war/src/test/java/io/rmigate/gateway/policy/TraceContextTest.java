package io.rmigate.gateway.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.policy.rule.ClassMode;
import io.rmigate.gateway.policy.rule.ClassSettings;
import io.rmigate.gateway.policy.rule.LearningLog;
import io.rmigate.gateway.policy.rule.Objection;
import io.rmigate.gateway.scan.ScanResult;
import io.rmigate.gateway.testing.ClassJar;
import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.message.CallHeader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where jars say which methods there are, none of them is one of an agent for traces. */
class TraceContextTest {
  interface Shop extends Remote {
    void add() throws RemoteException;
  }

  private interface Arguments {
    void write(ObjectOutputStream out) throws IOException;
  }

  /** Of which no jar knows. */
  static final class Gadget implements Serializable {
    private static final long serialVersionUID = 1L;
  }

  private static final Arguments NONE = out -> {};
  private static final Map<String, String> CONTEXT =
      Map.of(
          "traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
          "baggage", "order=4711");

  @TempDir Path directory;
  private CallRules rules;

  @BeforeEach
  void readsTheJar() throws Exception {
    rules =
        Rulebook.of(
                new ClassSettings(
                    ClassMode.ENFORCE,
                    List.of(),
                    List.of(),
                    Optional.of(ClassJar.in(directory, Shop.class)),
                    1 << 20),
                LearningLog.NOTHING)
            .rules(List.of());
  }

  private static byte[] call(TraceContext context, int operation, Arguments arguments) {
    return call(context.object(), operation, arguments);
  }

  private static byte[] call(ObjIdentifier object, int operation, Arguments arguments) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(Jrmp.CALL);
    try (ObjectOutputStream out =
        new ObjectOutputStream(bytes) {
          @Override
          protected void annotateClass(Class<?> type) throws IOException {
            writeObject(null);
          }
        }) {
      out.write(object.encode());
      out.writeInt(operation);
      out.writeLong(operation);
      arguments.write(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static Arguments texts(Map<String, String> context) {
    return out -> {
      out.writeInt(context.size());
      for (Map.Entry<String, String> entry : context.entrySet()) {
        out.writeUTF(entry.getKey());
        out.writeUTF(entry.getValue());
      }
    };
  }

  private static Arguments honest(TraceContext context, Map<String, String> entries) {
    return context.name().endsWith("MAP")
        ? out -> out.writeObject(new HashMap<>(entries))
        : texts(entries);
  }

  private List<Objection> objections(byte[] call) {
    CallHeader header = CallHeader.decode(call, 0, call.length).orElseThrow();
    ScanResult seen = rules.scanner().requests().scan(call, 0, call.length);
    return rules.call(header, seen, call, reference -> true, hash -> true);
  }

  /** An ObjID made of a number has no address space, as in {@code java.rmi.server.ObjID}. */
  @Test
  void theirObjectsAreExportedUnderTheHashCodesOfNames() {
    Map<String, TraceContext> names =
        Map.of(
            "io.opentelemetry.javaagent.context-call", TraceContext.OPENTELEMETRY_MAP,
            "io.opentelemetry.javaagent.context-call-v2", TraceContext.OPENTELEMETRY_TEXTS,
            "Datadog.v1.context_call", TraceContext.DATADOG_MAP,
            "Datadog.v2.context_call", TraceContext.DATADOG_TEXTS);
    names.forEach(
        (name, context) ->
            assertThat(TraceContext.of(new ObjIdentifier(name.hashCode(), 0, 0, (short) 0)))
                .contains(context));
    assertThat(TraceContext.of(new ObjIdentifier(4711, 0, 0, (short) 0))).isEmpty();
  }

  @Test
  void theQuestionAndAContextOfStringsPass() {
    Map<String, String> many = new HashMap<>();
    for (int i = 0; i < 1000; i++) {
      many.put("k" + i, "same");
    }
    for (TraceContext context : TraceContext.values()) {
      assertThat(objections(call(context, -1, NONE))).as("%s", context).isEmpty();
      for (Map<String, String> entries : List.of(CONTEXT, Map.<String, String>of(), many)) {
        assertThat(objections(call(context, -2, honest(context, entries))))
            .as("%s %s", context, entries.size())
            .isEmpty();
      }
    }
    assertThat(rules.method(-2, -2)).isEmpty();
    assertThat(rules.needs(header(-2), new byte[0])).isEmpty();
  }

  private static CallHeader header(int operation) {
    return new CallHeader(TraceContext.OPENTELEMETRY_MAP.object(), operation, operation);
  }

  @Test
  void anyOtherObjectIsStillOneOfTheJars() {
    ObjIdentifier other = new ObjIdentifier(4711, 0, 0, (short) 0);
    for (int operation : List.of(-1, -2)) {
      assertThat(objections(call(other, operation, NONE)))
          .extracting(Objection::rule)
          .containsExactly(Objection.Rule.METHOD);
    }
  }

  @Test
  void anyOtherContentIsRefusedByTheNameOfTheAgent() {
    Map<String, Arguments> odd = new LinkedHashMap<>();
    odd.put("a gadget", out -> out.writeObject(new Gadget()));
    odd.put("another map", out -> out.writeObject(new LinkedHashMap<>(CONTEXT)));
    odd.put("a value that is a list", out -> out.writeObject(map("k", new ArrayList<>())));
    odd.put("a value that is a gadget", out -> out.writeObject(map("k", new Gadget())));
    odd.put("a value that is a map", out -> out.writeObject(map("k", new HashMap<>())));
    odd.put("a value that is none", out -> out.writeObject(map("k", null)));
    odd.put("a value that is the key", out -> out.writeObject(map("k", new String[] {"k"})));
    odd.put("a number", out -> out.writeObject(map("k", 1)));
    odd.put("a class", out -> out.writeObject(map("k", String.class)));
    odd.put("an enum", out -> out.writeObject(map("k", Thread.State.NEW)));
    odd.put("itself", out -> out.writeObject(itself()));
    odd.put("a string", out -> out.writeObject("k"));
    odd.put("null", out -> out.writeObject(null));
    odd.put("a string behind it", behind(out -> out.writeObject("k")));
    odd.put(
        "itself behind it",
        out -> {
          Map<String, String> one = new HashMap<>(CONTEXT);
          out.writeObject(one);
          out.writeObject(one);
        });
    odd.put("a block behind it", behind(out -> out.writeInt(1)));
    odd.put(
        "a block before it",
        out -> {
          out.writeInt(1);
          out.writeObject(new HashMap<>(CONTEXT));
        });
    odd.put("a count that is not so", out -> out.writeInt(1));
    odd.put("a negative count", out -> out.writeInt(-1));
    odd.put(
        "a text that is longer",
        out -> {
          out.writeInt(1);
          out.writeUTF("k");
          out.writeShort(0xFFFF);
        });
    odd.put(
        "something behind its texts",
        out -> {
          texts(CONTEXT).write(out);
          out.writeByte(0);
        });
    odd.put(
        "an object behind its texts",
        out -> {
          texts(CONTEXT).write(out);
          out.writeObject("k");
        });
    odd.put("too much", honestText("v".repeat(17 * 1024)));
    odd.put("nothing", NONE);
    for (TraceContext context : TraceContext.values()) {
      odd.forEach(
          (name, arguments) -> {
            byte[] call = call(context, -2, arguments);
            assertThat(objections(call)).as("%s %s", context, name).isNotEmpty();
            assertRefusedByName(context, objections(call).get(0));
          });
      TraceContext form = otherForm(context);
      assertThat(objections(call(context, -2, honest(form, CONTEXT)))).as("%s", form).isNotEmpty();
      for (int operation : List.of(-3, 0, 1)) {
        assertRefusedByName(context, objections(call(context, operation, NONE)).get(0));
      }
      assertRefusedByName(context, objections(call(context, -1, out -> out.writeInt(1))).get(0));
      assertRefusedByName(
          context, objections(call(context, -1, out -> out.writeObject("k"))).get(0));
    }
  }

  private static void assertRefusedByName(TraceContext context, Objection refused) {
    assertThat(refused.rule()).isEqualTo(Objection.Rule.METHOD);
    assertThat(refused.subject())
        .startsWith("trace context of ")
        .containsIgnoringCase(context.name().substring(0, context.name().indexOf('_')));
    assertThat(refused.advice()).isEqualTo("nothing in the configuration allows it");
  }

  private static TraceContext otherForm(TraceContext context) {
    return context.name().endsWith("MAP")
        ? TraceContext.OPENTELEMETRY_TEXTS
        : TraceContext.OPENTELEMETRY_MAP;
  }

  private static Arguments behind(Arguments more) {
    return out -> {
      out.writeObject(new HashMap<>(CONTEXT));
      more.write(out);
    };
  }

  /** In both forms, of which one is the right one. */
  private static Arguments honestText(String value) {
    return out -> {
      out.writeInt(1);
      out.writeUTF("k");
      out.writeUTF(value);
      out.writeObject(map("k", value));
    };
  }

  private static Map<String, Object> map(String key, Object value) {
    Map<String, Object> map = new HashMap<>();
    map.put(key, value);
    return map;
  }

  private static Map<String, Object> itself() {
    Map<String, Object> map = new HashMap<>();
    map.put("k", map);
    return map;
  }

  @Test
  void theClassThatIsNotAStringIsNamed() {
    Objection refused =
        objections(call(TraceContext.OPENTELEMETRY_MAP, -2, out -> out.writeObject(new Gadget())))
            .get(0);
    assertThat(refused.subject())
        .isEqualTo("trace context of OpenTelemetry with " + Gadget.class.getName());
    assertThat(Set.copyOf(objections(call(TraceContext.DATADOG_MAP, -2, NONE)))).hasSize(1);
  }
}
