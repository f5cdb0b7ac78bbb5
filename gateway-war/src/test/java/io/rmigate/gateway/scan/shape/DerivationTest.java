package io.rmigate.gateway.scan.shape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rmigate.gateway.testing.SourceJar;
import io.rmigate.protocol.jrmp.ReadSequence;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/** T05: byte code that no sequence of reads is derived from. */
class DerivationTest {
  private static final Map<String, String> FAMILY =
      Map.of(
          "p.Old",
          """
          package p;
          import java.io.*;
          public class Old implements Externalizable {
            private static final long serialVersionUID = 1;
            public void writeExternal(ObjectOutput out) throws IOException {}
            public void readExternal(ObjectInput in) throws IOException { in.readInt(); }
          }
          """,
          "p.Middle",
          """
          package p;
          import java.io.*;
          public class Middle extends Old {
            private static final long serialVersionUID = 1;
            public void readExternal(ObjectInput in) throws IOException { in.readLong(); }
          }
          """,
          "p.Young",
          """
          package p;
          import java.io.*;
          public class Young extends Middle {
            private static final long serialVersionUID = 1;
            public void readExternal(ObjectInput in) throws IOException {
              super.readExternal(in);
            }
          }
          """);

  private static Optional<ReadSequence> young(JarClassFiles files) throws IOException {
    return JarShapes.of(files).shapes().stream()
        .filter(shape -> shape.name().equals("p.Young"))
        .findFirst()
        .orElseThrow()
        .sequence();
  }

  /** As if it had been compiled when there was no class in the middle. */
  private static ClassReader callingItsGrandparent(ClassReader young) {
    ClassNode type = new ClassNode();
    young.accept(type, 0);
    for (MethodNode method : type.methods) {
      for (AbstractInsnNode instruction : method.instructions) {
        if (instruction instanceof MethodInsnNode call
            && call.getOpcode() == Opcodes.INVOKESPECIAL
            && call.name.equals("readExternal")) {
          call.owner = "p/Old";
        }
      }
    }
    ClassWriter written = new ClassWriter(0);
    type.accept(written);
    return new ClassReader(written.toByteArray());
  }

  /** A JVM runs the superclass's method: which one the call names makes no difference. */
  @Test
  void aCallWithSuperThatNamesAnotherClassThanTheSuperclass(@TempDir Path directory)
      throws Exception {
    Path jar = new SourceJar(FAMILY).write(directory.resolve("family.jar"), any -> true);
    JarClassFiles files = JarClassFiles.of(List.of(jar));
    assertThat(young(files).orElseThrow().steps().get(0).constant()).isEqualTo(Long.BYTES);

    Map<String, List<ClassReader>> changed = new TreeMap<>(files.byName());
    changed.computeIfPresent(
        "p/Young", (name, versions) -> List.of(callingItsGrandparent(versions.get(0))));
    assertThat(young(new JarClassFiles(changed, files.damaged()))).isEmpty();
  }

  @Test
  void whatIsNotKnownDecidesAboutNoRead() {
    StepList steps = new StepList();
    steps.bytes(Operand.none(1));
    steps.add(ReadSequence.Op.END);
    assertThatThrownBy(steps::sequence).isInstanceOf(UnderivableException.class);
  }
}
