package io.rmigate.downgrade;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;

/**
 * The public API of a release of Java, as javac's option {@code --release} has it (the file ct.sym
 * of the JDK).
 */
final class JavaApi {
  private final Map<String, Type> types = new HashMap<>();

  private JavaApi() {}

  static JavaApi ofRelease8() throws IOException {
    JavaApi api = new JavaApi();
    Path symbols = Path.of(System.getProperty("java.home"), "lib", "ct.sym");
    try (ZipFile file = new ZipFile(symbols.toFile())) {
      for (ZipEntry entry : Collections.list(file.entries())) {
        String name = entry.getName();
        int slash = name.indexOf('/');
        // The first folder names the releases that an entry is for, each by one letter or digit.
        if (name.endsWith(".sig") && name.substring(0, slash).indexOf('8') >= 0) {
          try (InputStream in = file.getInputStream(entry)) {
            api.add(in.readAllBytes());
          }
        }
      }
    }
    return api;
  }

  private void add(byte[] signatures) {
    ClassNode node = new ClassNode();
    new ClassReader(signatures).accept(node, 0);
    Set<String> members = new TreeSet<>();
    node.methods.forEach(method -> members.add(method.name + method.desc));
    node.fields.forEach(field -> members.add(field.name + field.desc));
    List<String> parents = new ArrayList<>(node.interfaces);
    if (node.superName != null) {
      parents.add(node.superName);
    }
    if ((node.access & Opcodes.ACC_INTERFACE) != 0) {
      parents.add("java/lang/Object");
    }
    types.put(node.name, new Type(parents, members));
  }

  boolean has(String type) {
    return types.containsKey(type);
  }

  /** Whether the type has the member or inherits it. */
  boolean has(String type, String member) {
    Type found = types.get(type);
    if (found == null) {
      return false;
    }
    return found.members.contains(member)
        || found.parents.stream().anyMatch(parent -> has(parent, member));
  }

  private record Type(List<String> parents, Set<String> members) {}
}
