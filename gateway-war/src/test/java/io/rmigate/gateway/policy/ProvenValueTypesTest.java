package io.rmigate.gateway.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.scan.proof.HarmlessClasses;
import io.rmigate.gateway.scan.proof.Verdict;
import io.rmigate.gateway.scan.shape.JarClassFiles;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;

/**
 * What {@code value-types.txt} calls proven is so in the JDK that runs this, where the classes of
 * the list are all that there are.
 */
class ProvenValueTypesTest {
  /** Of which the proof takes for granted what people have read. */
  private static final Set<String> TAKEN_FOR_GRANTED =
      Set.of(
          "java.lang.Boolean",
          "java.lang.Byte",
          "java.lang.Character",
          "java.lang.Class",
          "java.lang.Double",
          "java.lang.Enum",
          "java.lang.Error",
          "java.lang.Exception",
          "java.lang.Float",
          "java.lang.Integer",
          "java.lang.Long",
          "java.lang.Number",
          "java.lang.Object",
          "java.lang.Record",
          "java.lang.RuntimeException",
          "java.lang.Short",
          "java.lang.String",
          "java.lang.StringBuffer",
          "java.lang.StringBuilder",
          "java.lang.Throwable");

  private static HarmlessClasses ofThisJdk() throws IOException {
    Map<String, List<ClassReader>> files = new TreeMap<>();
    for (String name : ValueTypes.NAMES) {
      String internal = name.replace('.', '/');
      if (!TAKEN_FOR_GRANTED.contains(name)) {
        try (InputStream file =
            ClassLoader.getPlatformClassLoader().getResourceAsStream(internal + ".class")) {
          if (file != null) {
            files.put(internal, List.of(new ClassReader(file)));
          }
        }
      }
    }
    return HarmlessClasses.of(new JarClassFiles(files, Set.of()), Set.of());
  }

  @Test
  void whatIsCalledProvenIsProven() throws Exception {
    HarmlessClasses proof = ofThisJdk();
    Set<String> here = Set.copyOf(proof.verdicts().stream().map(Verdict::className).toList());
    List<String> proven =
        ValueTypes.GROUPS.stream()
            .filter(group -> group.status().equals("proven"))
            .flatMap(group -> group.names().stream())
            .toList();
    assertThat(proven).hasSizeGreaterThan(300);
    assertThat(proven.stream().filter(here::contains))
        .hasSizeGreaterThan(300)
        .allSatisfy(name -> assertThat(proof.verdict(name).path()).as(name).isEmpty());
  }
}
