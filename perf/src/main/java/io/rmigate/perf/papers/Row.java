package io.rmigate.perf.papers;

import java.util.List;

/**
 * One line of the comparison.
 *
 * @param metric without its quantity
 */
record Row(String label, String metric, Published published) {

  /** All, for a link of that name. */
  static List<Row> all(String link) {
    return List.of(
        new Row("HelloWorld: lookup", "hello.lookup", Published.uncompressed(7.1, 1.7)),
        new Row("HelloWorld: sayHello()", "hello.call", Published.uncompressed(1.3, 0.6)),
        new Row("HelloWorld: both", "hello.total", Published.uncompressed(8.4, 2.3)),
        new Row("lookup, field trial", "hello.lookup", Published.lookup(link)),
        new Row("Monads: three lookups", "monads.lookups", Published.both(18.9, 3.0, 2.9)),
        new Row("Monads: reply of 3 300 bytes", "monads.text3300", Published.both(8.1, 7.8, 3.0)),
        new Row("Monads: reply of 7 048 bytes", "monads.text7048", Published.both(14.8, 13.7, 4.8)),
        new Row(
            "Monads: reply of 14 760 bytes", "monads.text14760", Published.both(41.4, 28.1, 5.0)),
        new Row("Monads: three lookups again", "monads.again", Published.mediators(0.4)),
        new Row("Void", "tests.void", Published.NOTHING),
        new Row("Void after 3 s of silence", "tests.void-after-idle", Published.NOTHING),
        new Row("ReturnPing, 500 zeros", "tests.ping", Published.NOTHING),
        new Row("PingImage, 5 998 bytes", "tests.image", Published.NOTHING),
        new Row("PingText, 9 689 bytes", "tests.page", Published.NOTHING),
        new Row("ReturnText, 9 689 bytes", "tests.pages", Published.NOTHING));
  }
}
