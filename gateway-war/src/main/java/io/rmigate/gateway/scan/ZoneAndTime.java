package io.rmigate.gateway.scan;

import io.rmigate.gateway.scan.Finding.Kind;

/**
 * The elements that may stand in the zone of a {@code Calendar} and in a value of {@code
 * java.time.chrono}: a zone, and values of {@code java.time}. The JDK writes no others, and a
 * reader goes on in the middle of them if their class is missing.
 */
final class ZoneAndTime {
  private static final String ZONE = "sun.util.calendar.ZoneInfo";

  private ZoneAndTime() {}

  /**
   * Checks an object that begins.
   *
   * @param around the element that the object stands in
   * @return whether the object belongs to a zone
   */
  static boolean checkObject(OpenElement around, ClassClaim type, ScanNotes notes, int at) {
    boolean inZone = around.belongsToZone();
    if (inZone && !type.name().equals(ZONE)) {
      findInCalendar(notes, at);
    }
    if (around.own() == SerialDataLayout.CHRONO && !type.own().isTime()) {
      findInTime(notes, at);
    }
    return inZone;
  }

  /**
   * Checks an array that begins.
   *
   * @param around the element that the array stands in
   * @return whether the array belongs to a zone
   */
  static boolean checkArray(OpenElement around, boolean isOfPrimitives, ScanNotes notes, int at) {
    boolean inZone = around.belongsToZone();
    if (inZone && !isOfPrimitives) {
      findInCalendar(notes, at);
    }
    if (around.own() == SerialDataLayout.CHRONO) {
      findInTime(notes, at);
    }
    return inZone;
  }

  /** Checks an element of another kind, which stands in neither. */
  static void checkOther(OpenElement around, ScanNotes notes, int at) {
    if (around.belongsToZone()) {
      findInCalendar(notes, at);
    }
    if (around.own() == SerialDataLayout.CHRONO) {
      findInTime(notes, at);
    }
  }

  private static void findInCalendar(ScanNotes notes, int at) {
    notes.find(Kind.ODD_OWN_DATA, "java.util.Calendar", at);
  }

  private static void findInTime(ScanNotes notes, int at) {
    notes.find(Kind.ODD_OWN_DATA, "java.time.chrono.Ser", at);
  }
}
