package io.rmigate.gateway.scan;

import io.rmigate.gateway.scan.Finding.Kind;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Objects of one stream which are harmless to a reader only in certain places: a URL anywhere but
 * in a key, listeners and resource bundles nowhere. Confined to the scanning thread.
 */
final class ConditionalObjects {
  /** The resource bundle of the JDK's own levels. */
  private static final byte[] BUNDLE =
      "sun.util.logging.resources.logging".getBytes(StandardCharsets.US_ASCII);

  private static final int TC_STRING = 0x74;

  /** The field {@code resourceBundleName} of a LogRecord, counted from the last. */
  private static final int BUNDLE_OF_RECORD = -4;

  /** The field {@code ifname} of an Inet6Address, counted from the last. */
  private static final int INTERFACE_OF_ADDRESS = -2;

  /** Measured in steps of hashing: one enumeration of the network interfaces. */
  private static final int STEPS_OF_INTERFACES = 1 << 12;

  static final String NULL = "null";
  static final String URL = "java.net.URL";

  private final ScanNotes notes;
  private final int firstHandle;

  /** By handle: which complete objects hold a URL; null as long as there is no URL. */
  private BitSet urls;

  /** Handle of the text that names the resource bundle of the JDK's levels. */
  private int bundleHandle;

  /** The text, or the array, that is told next is fit for its place. */
  private boolean fit;

  /** Pixels of the latest ImageIcon, by its own data. */
  private long pixels;

  ConditionalObjects(ScanNotes notes, int firstHandle) {
    this.notes = notes;
    this.firstHandle = firstHandle;
  }

  /** About as many bytes as are taken by what may still be referred to. */
  long bytes() {
    return urls == null ? 0 : urls.size() / Byte.SIZE;
  }

  /** An object that holds a URL, or is one, is complete. */
  void addUrl(int handle) {
    if (urls == null) {
      urls = new BitSet();
    }
    urls.set(handle - firstHandle);
  }

  boolean holdsUrl(int handle) {
    return urls != null && urls.get(handle - firstHandle);
  }

  /**
   * A key is hashed or compared.
   *
   * @param holdsUrl whether it is known to hold a URL
   * @param isKnown whether it holds no other
   */
  void key(boolean holdsUrl, boolean isKnown, int at) {
    if (holdsUrl || (urls != null && !isKnown)) {
      notes.find(Kind.REACHING_OUT, URL, at);
    }
  }

  /** A text is told next. */
  void text(OpenElement open, byte[] buf, int textAt, int length, int handle) {
    fit = isBundle(buf, textAt, length);
    if (fit && open.own() == SerialDataLayout.LEVEL) {
      bundleHandle = handle;
    }
  }

  /** A reference is told next. */
  void reference(byte[] buf, int stringAt, int handle) {
    boolean known = stringAt > 0 && buf[stringAt] == TC_STRING;
    fit =
        handle == bundleHandle
            || (known
                && isBundle(
                    buf,
                    stringAt + 3,
                    (buf[stringAt + 1] & 0xFF) << 8 | (buf[stringAt + 2] & 0xFF)));
  }

  private static boolean isBundle(byte[] buf, int at, int length) {
    return length == BUNDLE.length
        && at + length <= buf.length
        && Arrays.equals(buf, at, at + length, BUNDLE, 0, length);
  }

  /** The own data of an ImageIcon begin. */
  void beginImage(long width, long height, boolean areThere) {
    pixels = areThere && width > 0 && height > 0 ? width * height : -1;
  }

  /** An array is told next. */
  void array(String name, int length) {
    fit = name.equals("[I") && length == pixels;
  }

  /**
   * Something is told in the data of a particular class.
   *
   * @param what {@link #NULL}, or what else
   * @param isFitting whether it is a text or an array that was told to this object before
   */
  void part(OpenElement open, String what, boolean isFitting, int at) {
    boolean isNull = what.equals(NULL);
    boolean good =
        switch (open.own()) {
          case LEVEL -> open.objects != -1 || isNull || (isFitting && fit);
          case LOG_RECORD -> open.objects != BUNDLE_OF_RECORD || isNull;
          case EVENT_LISTENER_LIST -> open.objects < 0 || isNull;
          case IMAGE_ICON -> open.objects < 0 || isNull || (isFitting && fit);
          case INET6_ADDRESS -> {
            if (open.objects == INTERFACE_OF_ADDRESS && !isNull) {
              notes.countHashing(STEPS_OF_INTERFACES);
            }
            yield true;
          }
          default -> true;
        };
    if (!good) {
      notes.find(Kind.REACHING_OUT, open.data.name(), at);
    }
  }
}
