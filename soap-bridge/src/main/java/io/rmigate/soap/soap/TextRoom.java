package io.rmigate.soap.soap;

import io.rmigate.soap.http.BodyRoom;
import java.io.IOException;

/**
 * Room for the texts of a document of which a few bytes can be long ones. It is taken in pieces, as
 * the texts come. Of one document.
 */
final class TextRoom {
  /** Taken at a time. */
  private static final int PIECE = 64 << 10;

  private final BodyRoom room;

  /** Characters for which there is room already; the first of them in the place of the bytes. */
  private long taken;

  /**
   * @param bytes of the document
   */
  TextRoom(long bytes, BodyRoom room) {
    taken = bytes;
    this.room = room;
  }

  /**
   * Sees to it that there is room for so many characters.
   *
   * @throws IOException there is none
   */
  void have(long chars) throws IOException {
    if (chars > taken) {
      long more = Math.max(PIECE, chars - taken);
      room.take(more);
      taken += more;
    }
  }
}
