package io.rmigate.gateway.scan.proof;

import io.rmigate.gateway.scan.proof.Types.Version;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodNode;

/** What static final fields of the jars hold, by the initializers of their classes. */
final class StaticFields {
  private final Types types;

  /** By class and field. */
  private final Map<String, Map<String, String>> exact = new HashMap<>();

  StaticFields(Types types) {
    this.types = types;
  }

  Types types() {
    return types;
  }

  /** The class of the object that a field holds, as an internal name; empty if it is not known. */
  String exactType(String owner, String field) {
    Map<String, String> known = exact.get(owner);
    if (known == null) {
      exact.put(owner, Map.of()); // to whoever asks meanwhile
      known = ofInitializer(owner);
      exact.put(owner, known);
    }
    return known.getOrDefault(field, "");
  }

  private Map<String, String> ofInitializer(String owner) {
    List<Version> versions = types.versions(owner);
    if (!types.isOfJars(owner) || versions.size() != 1) {
      return Map.of();
    }
    ClassNode type = new ClassNode();
    try {
      versions.get(0).file.accept(type, ClassReader.SKIP_FRAMES | ClassReader.SKIP_DEBUG);
    } catch (RuntimeException damaged) {
      return Map.of();
    }
    for (MethodNode method : type.methods) {
      if (method.name.equals("<clinit>")) {
        return FactFinder.of(this, owner, method).exactStatics;
      }
    }
    return Map.of();
  }
}
