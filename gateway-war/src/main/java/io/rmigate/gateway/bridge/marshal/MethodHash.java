package io.rmigate.gateway.bridge.marshal;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What a Call names its method by: the first eight bytes of the SHA-1 of name and descriptor (RMI
 * specification, section 8.3).
 */
public final class MethodHash {
  private static final ClassValue<Map<Method, Long>> KNOWN =
      new ClassValue<>() {
        @Override
        protected Map<Method, Long> computeValue(Class<?> type) {
          return new ConcurrentHashMap<>();
        }
      };

  private MethodHash() {}

  /** The hash of a method of a remote interface. Any thread. */
  public static long of(Method method) {
    return KNOWN.get(method.getDeclaringClass()).computeIfAbsent(method, MethodHash::compute);
  }

  private static String signature(Method method) {
    StringBuilder text = new StringBuilder(method.getName()).append('(');
    for (Class<?> parameter : method.getParameterTypes()) {
      text.append(parameter.descriptorString());
    }
    return text.append(')').append(method.getReturnType().descriptorString()).toString();
  }

  private static long compute(Method method) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      new DataOutputStream(bytes).writeUTF(signature(method));
      byte[] digest = MessageDigest.getInstance("SHA").digest(bytes.toByteArray());
      return ByteBuffer.wrap(digest).order(ByteOrder.LITTLE_ENDIAN).getLong();
    } catch (IOException tooLong) {
      throw new UncheckedIOException(tooLong);
    } catch (NoSuchAlgorithmException impossible) {
      throw new AssertionError(impossible);
    }
  }
}
