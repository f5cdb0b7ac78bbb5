package io.rmigate.protocol.jrmp;

/**
 * Layouts of the Externalizables of the JDK that RMI calls may carry. RMI writes protocol version
 * 1, in which such data are neither framed nor ended: only the class knows where they stop. Each
 * layout is some bytes, then perhaps objects, then perhaps some more bytes; all three follow from
 * the leading bytes.
 *
 * <p>Read in the sources of JDK 17 and 25: {@code java.time.Ser}, {@code java.time.chrono.Ser},
 * {@code java.time.zone.Ser}, {@code sun.rmi.server.UnicastRef} and {@code UnicastRef2}. An unknown
 * type byte is refused by those classes too. The names are reserved to the JDK, so that a receiver
 * cannot have other classes behind them.
 */
enum ExternalLayout {
  /** A type byte, then fixed or self-delimiting bytes. */
  TIME("java.time.Ser") {
    @Override
    void lead(Cursor in) {
      time(in, in.unsignedByte());
    }
  },

  /** A type byte; some types hold objects. */
  CHRONO("java.time.chrono.Ser") {
    @Override
    void lead(Cursor in) {
      switch (in.unsignedByte()) {
        case 1 -> in.utf(); // Chronology: id
        case CHRONO_LOCAL_DATE_TIME, CHRONO_ZONED_DATE_TIME, HIJRAH_DATE -> {}
        case 4, 7, 8 -> in.skip(6); // JapaneseDate, MinguoDate, ThaiBuddhistDate
        case 5 -> in.skip(1); // JapaneseEra
        case 9 -> { // ChronoPeriod
          in.utf();
          in.skip(12);
        }
        default -> in.fail();
      }
    }

    @Override
    int objects(byte[] buf, int pos) {
      return switch (buf[pos]) {
        case CHRONO_LOCAL_DATE_TIME -> 2; // date, time
        case CHRONO_ZONED_DATE_TIME -> 3; // dateTime, offset, zone
        case HIJRAH_DATE -> 1; // chronology
        default -> 0;
      };
    }

    @Override
    int trailingBytes(byte[] buf, int pos) {
      return buf[pos] == HIJRAH_DATE ? 6 : 0;
    }
  },

  ZONE("java.time.zone.Ser") {
    @Override
    void lead(Cursor in) {
      switch (in.unsignedByte()) {
        case 1 -> {
          transitions(in);
          transitions(in);
          int rules = in.unsignedByte();
          if (rules > MAX_RULES) {
            in.fail();
          }
          for (int i = 0; i < rules && in.good(); i++) {
            rule(in);
          }
        }
        case 2 -> {
          epochSecond(in);
          offset(in);
          offset(in);
        }
        case 3 -> rule(in);
        default -> in.fail();
      }
    }
  },

  /** UTF host, int32 port, ObjID, boolean. */
  UNICAST_REF("sun.rmi.server.UnicastRef") {
    @Override
    void lead(Cursor in) {
      in.utf();
      in.skip(4 + Jrmp.OBJ_ID_BYTES + 1);
    }
  },

  /** A format byte, UTF host, int32 port; with format 1 a factory object; ObjID, boolean. */
  UNICAST_REF2("sun.rmi.server.UnicastRef2") {
    @Override
    void lead(Cursor in) {
      int format = in.unsignedByte();
      in.utf();
      in.skip(4);
      if (format == 0) {
        in.skip(Jrmp.OBJ_ID_BYTES + 1);
      } else if (format != 1) {
        in.fail();
      }
    }

    @Override
    int objects(byte[] buf, int pos) {
      return buf[pos];
    }

    @Override
    int trailingBytes(byte[] buf, int pos) {
      return Jrmp.OBJ_ID_BYTES + 1;
    }
  };

  /** Answer of {@link #leadingBytes}: they go on behind the range. */
  static final int TRUNCATED = -1;

  /** Answer of {@link #leadingBytes}: the class does not write this. */
  static final int MALFORMED = -2;

  private static final int CHRONO_LOCAL_DATE_TIME = 2;
  private static final int CHRONO_ZONED_DATE_TIME = 3;
  private static final int HIJRAH_DATE = 6;

  /** The bounds java.time itself puts on what it reads. */
  private static final int MAX_TRANSITIONS = 1024;

  private static final int MAX_RULES = 16;

  private static final ExternalLayout[] VALUES = values();

  private final String className;

  ExternalLayout(String className) {
    this.className = className;
  }

  /** The number, from 1, of the layout of this class's data; 0 when it is not known. */
  static int numberOf(StreamClass type) {
    for (int number = VALUES.length; number > 0; number--) {
      if (type.isNamed(VALUES[number - 1].className)) {
        return number;
      }
    }
    return 0;
  }

  /** The layout with that number; null for 0. */
  static ExternalLayout numbered(int number) {
    return number == 0 ? null : VALUES[number - 1];
  }

  /** The number of bytes before the first object, or one of the two negative answers. */
  final int leadingBytes(byte[] buf, int pos, int limit) {
    Cursor in = new Cursor(buf, pos, limit);
    lead(in);
    return in.failure != 0 ? in.failure : in.pos - pos;
  }

  /** The number of objects between; to be asked only once the leading bytes were found good. */
  int objects(byte[] buf, int pos) {
    return 0;
  }

  /** The number of bytes after the last object. */
  int trailingBytes(byte[] buf, int pos) {
    return 0;
  }

  abstract void lead(Cursor in);

  private static void time(Cursor in, int type) {
    switch (type) {
      case 1, 2, 14 -> in.skip(12); // Duration, Instant, Period
      case 3 -> in.skip(6); // LocalDate
      case 4 -> localTime(in);
      case 5 -> { // LocalDateTime
        in.skip(6);
        localTime(in);
      }
      case 6 -> { // ZonedDateTime
        in.skip(6);
        localTime(in);
        offset(in);
        switch (in.unsignedByte()) {
          case 7 -> in.utf();
          case 8 -> offset(in);
          default -> in.fail();
        }
      }
      case 7 -> in.utf(); // ZoneRegion
      case 8 -> offset(in);
      case 9 -> { // OffsetTime
        localTime(in);
        offset(in);
      }
      case 10 -> { // OffsetDateTime
        in.skip(6);
        localTime(in);
        offset(in);
      }
      case 11 -> in.skip(4); // Year
      case 12 -> in.skip(5); // YearMonth
      case 13 -> in.skip(2); // MonthDay
      default -> in.fail();
    }
  }

  /** Hour, minute, second, nano; the last one that is not zero is written complemented. */
  private static void localTime(Cursor in) {
    for (int i = 0; i < 3; i++) {
      if (in.unsignedByte() >= 0x80) {
        return;
      }
    }
    in.skip(4);
  }

  private static void offset(Cursor in) {
    if (in.unsignedByte() == 127) {
      in.skip(4);
    }
  }

  private static void epochSecond(Cursor in) {
    in.skip(in.unsignedByte() == 255 ? 8 : 2);
  }

  private static void transitions(Cursor in) {
    int count = in.int32();
    if (count < 0 || count > MAX_TRANSITIONS) {
      in.fail();
      return;
    }
    for (int i = 0; i < count && in.good(); i++) {
      epochSecond(in);
    }
    for (int i = 0; i <= count && in.good(); i++) {
      offset(in);
    }
  }

  private static void rule(Cursor in) {
    int data = in.int32();
    int more = 0;
    more += (data >>> 14 & 31) == 31 ? 4 : 0; // time
    more += (data >>> 4 & 255) == 255 ? 4 : 0; // standard offset
    more += (data >>> 2 & 3) == 3 ? 4 : 0; // offset before
    more += (data & 3) == 3 ? 4 : 0; // offset after
    in.skip(more);
  }

  /** Reads zeros behind its limit and remembers that it did. */
  private static final class Cursor {
    private final byte[] buf;
    private final int limit;
    private int pos;
    private int failure;

    Cursor(byte[] buf, int pos, int limit) {
      this.buf = buf;
      this.pos = pos;
      this.limit = limit;
    }

    boolean good() {
      return failure == 0;
    }

    /** Marks the data as malformed, unless they are known to be truncated. */
    void fail() {
      if (failure == 0) {
        failure = MALFORMED;
      }
    }

    void skip(int bytes) {
      if (failure != 0) {
        return;
      }
      if (limit - pos < bytes) {
        failure = TRUNCATED;
      } else {
        pos += bytes;
      }
    }

    int unsignedByte() {
      skip(1);
      return failure == 0 ? buf[pos - 1] & 0xFF : 0;
    }

    int int32() {
      skip(4);
      return failure == 0 ? BigEndian.int32(buf, pos - 4) : 0;
    }

    void utf() {
      skip(2);
      if (failure == 0) {
        skip(BigEndian.unsignedShort(buf, pos - 2));
      }
    }
  }
}
