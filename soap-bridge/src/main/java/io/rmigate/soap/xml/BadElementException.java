package io.rmigate.soap.xml;

/** An element from a client does not fit the operation. Nothing was called. */
public final class BadElementException extends Exception {
  private static final long serialVersionUID = 1L;

  /**
   * @param path the names of the elements that lead to the wrong one, with slashes between
   * @param detail a clause of which that element is the subject
   */
  public BadElementException(String path, String detail) {
    super(path + " " + detail);
  }
}
