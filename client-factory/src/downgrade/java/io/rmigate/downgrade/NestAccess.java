package io.rmigate.downgrade;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * The private members that other classes of the same nest use. Before Java 11 a JVM knows no nests,
 * so these members lose {@code private} and are visible in their package; those of interfaces,
 * whose members are either private or public, are public.
 */
final class NestAccess {
  private final Map<String, ClassNode> classes;
  private final Set<String> shared = new TreeSet<>();

  NestAccess(Map<String, ClassNode> classes) {
    this.classes = classes;
    classes.values().forEach(this::note);
    classes.values().forEach(this::requireNoOverride);
  }

  private void note(ClassNode user) {
    for (MethodNode method : user.methods) {
      for (AbstractInsnNode instruction : method.instructions) {
        if (instruction instanceof MethodInsnNode call) {
          note(user, call.owner, call.name, call.desc);
        } else if (instruction instanceof FieldInsnNode access) {
          note(user, access.owner, access.name, access.desc);
        } else if (instruction instanceof InvokeDynamicInsnNode dynamic) {
          for (Object argument : dynamic.bsmArgs) {
            if (argument instanceof Handle handle) {
              note(user, handle.getOwner(), handle.getName(), handle.getDesc());
            }
          }
        }
      }
    }
  }

  private void note(ClassNode user, String owner, String name, String descriptor) {
    if (!user.name.equals(owner) && isPrivate(owner, name, descriptor)) {
      shared.add(owner + '.' + name + descriptor);
    }
  }

  boolean isShared(String owner, String name, String descriptor) {
    return shared.contains(owner + '.' + name + descriptor);
  }

  /** Whether the member is private and stays so. */
  boolean staysPrivate(String owner, String name, String descriptor) {
    return isPrivate(owner, name, descriptor) && !isShared(owner, name, descriptor);
  }

  private boolean isPrivate(String owner, String name, String descriptor) {
    ClassNode node = classes.get(owner);
    if (node == null) {
      return false;
    }
    for (MethodNode method : node.methods) {
      if (method.name.equals(name) && method.desc.equals(descriptor)) {
        return (method.access & Opcodes.ACC_PRIVATE) != 0;
      }
    }
    for (FieldNode field : node.fields) {
      if (field.name.equals(name) && field.desc.equals(descriptor)) {
        return (field.access & Opcodes.ACC_PRIVATE) != 0;
      }
    }
    return false;
  }

  /**
   * A shared method that a subclass has, too, would be overridden: one of the two must be renamed
   * in the source.
   */
  private void requireNoOverride(ClassNode node) {
    for (MethodNode method : node.methods) {
      String parent = node.superName;
      while (!method.name.startsWith("<") && parent != null && classes.containsKey(parent)) {
        if (isShared(parent, method.name, method.desc)) {
          throw new IllegalStateException(
              node.name
                  + "."
                  + method.name
                  + " would override the private method of "
                  + parent
                  + " on Java 8: rename one");
        }
        parent = classes.get(parent).superName;
      }
    }
    for (MethodNode method : node.methods) {
      if ((node.access & Opcodes.ACC_INTERFACE) != 0
          && (method.access & Opcodes.ACC_STATIC) == 0
          && isShared(node.name, method.name, method.desc)) {
        throw new IllegalStateException(
            node.name
                + "."
                + method.name
                + ", private in an interface, is used by another class: impossible on Java 8");
      }
    }
  }
}
