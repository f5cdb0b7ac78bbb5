package io.rmigate.client.async;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.reflect.Method;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The number that stands for a method in a Call (RMI specification, section 8.3). */
final class MethodHash {
  private static final ClassValue<Map<Method, Long>> KNOWN =
      new ClassValue<>() {
        @Override
        protected Map<Method, Long> computeValue(Class<?> declaring) {
          return new ConcurrentHashMap<>();
        }
      };

  private MethodHash() {}

  static long of(Method method) {
    return KNOWN
        .get(method.getDeclaringClass())
        .computeIfAbsent(method, unknown -> compute(unknown));
  }

  private static long compute(Method method) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA");
      try (DataOutputStream out =
          new DataOutputStream(new DigestOutputStream(new ByteArrayOutputStream(), digest))) {
        out.writeUTF(method.getName() + descriptor(method));
      }
      byte[] bytes = digest.digest();
      long hash = 0;
      for (int i = 0; i < Long.BYTES; i++) {
        hash |= (bytes[i] & 0xFFL) << (i * Byte.SIZE);
      }
      return hash;
    } catch (NoSuchAlgorithmException | IOException impossible) {
      throw new AssertionError("each JVM has SHA-1", impossible);
    }
  }

  private static String descriptor(Method method) {
    StringBuilder text = new StringBuilder("(");
    for (Class<?> parameter : method.getParameterTypes()) {
      text.append(descriptor(parameter));
    }
    return text.append(')').append(descriptor(method.getReturnType())).toString();
  }

  private static String descriptor(Class<?> type) {
    if (type == void.class) {
      return "V";
    }
    String array = java.lang.reflect.Array.newInstance(type, 0).getClass().getName();
    return array.substring(1).replace('.', '/');
  }
}
