package io.rmigate.gateway.policy.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.policy.CallRules;
import io.rmigate.gateway.policy.JudgedMessage;
import io.rmigate.gateway.policy.Rulebook;
import io.rmigate.gateway.policy.rule.LearnedNotes.Note;
import io.rmigate.gateway.quota.Quota;
import io.rmigate.gateway.quota.Share;
import io.rmigate.gateway.scan.ScanResult;
import io.rmigate.protocol.jrmp.CallBytes;
import io.rmigate.protocol.jrmp.message.CallHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.sql.Date;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Keys that a receiver may have to compare each with each: up to a limit, and no more. */
@SuppressWarnings("JdkObsolete")
class KeyLimitTest {
  private static final int HONEST = 10_000;
  private static final int MANY = 20_000;

  private static CallRules rules(Entry entry) {
    try {
      return Rulebook.of(ClassSettings.DEFAULT, LearningLog.NOTHING).rules(List.of(entry.rules()));
    } catch (IOException impossible) {
      throw new AssertionError(impossible);
    }
  }

  private static List<Objection> objections(CallRules rules, Object argument) {
    byte[] call = CallBytes.callWith(argument);
    CallHeader header = CallHeader.decode(call, 0, call.length).orElseThrow();
    ScanResult seen = rules.scanner().request(call, 0, call.length);
    return rules.call(header, seen, call, reference -> false, list -> true);
  }

  /** With equal hash codes: the value's halves are put together to one. */
  private static List<Date> alike(int count) {
    return IntStream.range(0, count).mapToObj(i -> new Date((long) i << 32 | i)).toList();
  }

  private static Map<Object, Object> all(Map<Object, Object> map, List<?> keys) {
    keys.forEach(key -> map.put(key, ""));
    return map;
  }

  @Test
  void tablesOfTenThousandIdentifiersPass() {
    List<UUID> ids =
        IntStream.range(0, HONEST).mapToObj(i -> new UUID(i * 31L, i * 7_919L)).toList();
    for (Object table :
        List.of(
            all(new HashMap<>(), ids),
            new HashSet<>(ids),
            all(new Hashtable<>(), ids),
            Set.copyOf(ids),
            Map.copyOf(all(new HashMap<>(), ids)))) {
      assertThat(objections(rules(Entry.enforced()), table)).as("%s", table.getClass()).isEmpty();
    }
  }

  /** Written once only, for it takes as long to make them as to read them. */
  @Test
  void moreKeysThanTheLimitAreRefusedUnlessTheEntrySaysMore() {
    int tooMany = ClassSettings.KEY_LIMIT / 2 + 200;
    List<Object> tables = new ArrayList<>();
    tables.add(new HashSet<>(alike(tooMany)));
    tables.add(Set.copyOf(alike(ClassSettings.KEY_LIMIT + 200)));
    tables.add(
        IntStream.range(0, ClassSettings.KEY_LIMIT / 8 + 1)
            .mapToObj(i -> new Locale("en", "US", "v" + i))
            .toList());
    for (Object table : tables) {
      List<Objection> objections = objections(rules(Entry.enforced()), table);
      assertThat(objections).extracting(Objection::subject).containsExactly("TOO_MANY_KEYS");
      assertThat(rules(Entry.enforced()).advice(objections.get(0)))
          .contains("\"key-limit: 16384\"", "targets");
      assertThat(objections(rules(Entry.enforced().keyLimit(1 << 14)), table)).isEmpty();
    }
  }

  @Test
  void anEntryMayAllowFewer() {
    CallRules few = rules(Entry.enforced().keyLimit(KeyLimit.LEAST));
    assertThat(objections(few, new HashSet<>(alike(KeyLimit.LEAST / 2)))).isEmpty();
    assertThat(objections(few, new HashSet<>(alike(KeyLimit.LEAST)))).hasSize(1);
  }

  @Test
  void whatIsNoKeyOfThatKindHasNoLimit() {
    List<String> texts = IntStream.range(0, MANY).mapToObj(i -> "key " + i).toList();
    assertThat(objections(rules(Entry.enforced()), all(new Hashtable<>(), texts))).isEmpty();
    assertThat(objections(rules(Entry.enforced()), all(new HashMap<>(), texts))).isEmpty();
    assertThat(objections(rules(Entry.enforced()), new ArrayList<>(alike(MANY)))).isEmpty();
  }

  /** Where nothing else is told of any more: a long reply of one table. */
  @Test
  void aReplyThatComesInPiecesEndsWhereItHasTooMany() {
    CallRules few = rules(Entry.enforced().keyLimit(KeyLimit.LEAST));
    byte[] reply = CallBytes.normalReturn(out -> out.writeObject(new HashSet<>(alike(200))));
    JudgedMessage message = few.replyOfServer(new Share(Quota.half(1 << 20)), reference -> {});
    int pieces = 0;
    List<Objection> objections = List.of();
    while (objections.isEmpty() && pieces < reply.length) {
      objections = message.more(ByteBuffer.wrap(reply, pieces++, 1));
    }
    message.close();
    assertThat(objections).extracting(Objection::subject).containsExactly("TOO_MANY_KEYS");
    assertThat(pieces).isLessThan(reply.length * 2 / 3);
  }

  @Test
  void whatIsLearntIsALineOfTheEntry() throws IOException {
    CallRules learning = rules(Entry.of(ClassMode.LEARN).keyLimit(KeyLimit.MOST));
    List<Objection> noted = objections(learning, new HashSet<>(alike(MANY / 2)));
    assertThat(noted).extracting(Objection::remedy).containsExactly("key-limit: 32768");
    Note note =
        new Note(
            "ann",
            "inside:1099",
            noted.get(0).rule(),
            noted.get(0).subject(),
            noted.get(0).remedy());
    assertThat(Rulebook.of(ClassSettings.DEFAULT, LearningLog.NOTHING).learnedRules(List.of(note)))
        .contains("    key-limit: 32768\n");
    assertThat(rules(Entry.enforced()).refuses(note)).isTrue();
    assertThat(rules(Entry.enforced().keyLimit(1 << 15)).refuses(note)).isFalse();
  }
}
