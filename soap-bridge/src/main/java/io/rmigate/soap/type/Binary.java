package io.rmigate.soap.type;

/** {@code byte[]}: base64, or the bytes themselves where the carrier can. */
public enum Binary implements Shape {
  BYTES;

  @Override
  public Class<?> javaType() {
    return byte[].class;
  }

  @Override
  public String label() {
    return "Bytes";
  }
}
