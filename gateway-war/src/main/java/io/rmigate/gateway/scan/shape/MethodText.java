package io.rmigate.gateway.scan.shape;

import java.util.Arrays;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.IincInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.LookupSwitchInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.MultiANewArrayInsnNode;
import org.objectweb.asm.tree.TableSwitchInsnNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/** A method's code as text: two methods with the same text do the same. */
final class MethodText {
  private MethodText() {}

  static String of(MethodNode method) {
    InsnList code = method.instructions;
    StringBuilder text = new StringBuilder(method.desc).append(method.access);
    for (AbstractInsnNode instruction : code) {
      if (instruction.getOpcode() >= 0) {
        text.append('\n').append(instruction.getOpcode());
        operands(instruction, code, text);
      } else if (instruction instanceof LabelNode) {
        text.append("\n:").append(code.indexOf(instruction));
      }
    }
    for (TryCatchBlockNode block : method.tryCatchBlocks) {
      text.append("\ntry ").append(code.indexOf(block.start)).append(' ');
      text.append(code.indexOf(block.end)).append(' ').append(code.indexOf(block.handler));
      text.append(' ').append(block.type);
    }
    return text.toString();
  }

  private static void operands(AbstractInsnNode instruction, InsnList code, StringBuilder text) {
    text.append(' ');
    if (instruction instanceof VarInsnNode local) {
      text.append(local.var);
    } else if (instruction instanceof IntInsnNode number) {
      text.append(number.operand);
    } else if (instruction instanceof IincInsnNode increment) {
      text.append(increment.var).append(' ').append(increment.incr);
    } else if (instruction instanceof LdcInsnNode constant) {
      text.append(constant.cst.getClass().getName()).append(' ').append(constant.cst);
    } else if (instruction instanceof TypeInsnNode type) {
      text.append(type.desc);
    } else if (instruction instanceof FieldInsnNode field) {
      text.append(field.owner).append(' ').append(field.name).append(' ').append(field.desc);
    } else if (instruction instanceof MethodInsnNode call) {
      text.append(call.owner).append(' ').append(call.name).append(call.desc);
    } else if (instruction instanceof InvokeDynamicInsnNode dynamic) {
      text.append(dynamic.name).append(dynamic.desc).append(dynamic.bsm);
      text.append(Arrays.toString(dynamic.bsmArgs));
    } else if (instruction instanceof JumpInsnNode jump) {
      text.append(code.indexOf(jump.label));
    } else if (instruction instanceof TableSwitchInsnNode table) {
      text.append(table.min).append(' ').append(code.indexOf(table.dflt));
      table.labels.forEach(label -> text.append(' ').append(code.indexOf(label)));
    } else if (instruction instanceof LookupSwitchInsnNode lookup) {
      text.append(lookup.keys).append(' ').append(code.indexOf(lookup.dflt));
      lookup.labels.forEach(label -> text.append(' ').append(code.indexOf(label)));
    } else if (instruction instanceof MultiANewArrayInsnNode array) {
      text.append(array.desc).append(array.dims);
    }
  }
}
