package io.rmigate.gateway.container.ordinary;

import io.rmigate.gateway.container.ordinary.api.Desk;
import io.rmigate.gateway.container.ordinary.api.ShopException;
import java.util.Arrays;

/** Exceptions, declared and not. */
final class FailureKinds {
  private FailureKinds() {}

  static void addTo(Kinds kinds) throws Exception {
    Desk desk = kinds.service(Desk.class);
    kinds.addFailing(
        "declared exception with causes",
        () -> {
          desk.fail("closed");
          return null;
        });
    kinds.add(
        "stack trace of the server",
        () -> {
          try {
            desk.fail("traced");
            return "none";
          } catch (ShopException e) {
            return Arrays.stream(e.getStackTrace())
                .anyMatch(frame -> frame.getClassName().equals(DeskService.class.getName()));
          }
        });
    for (String each : new String[] {"state", "null", "index", "element", "concurrent", "number"}) {
      addUndeclared(kinds, desk, "undeclared exception of the JDK, " + each, each);
    }
    addUndeclared(kinds, desk, "undeclared exception of the application", "shop");
    addUndeclared(kinds, desk, "undeclared exception of the server alone", "inner");
    addUndeclared(kinds, desk, "error of the server", "error");
    for (String each : new String[] {"sql", "file"}) {
      kinds.addFailing(
          "declared exception of the JDK, " + each,
          () -> {
            desk.failInJdk(each);
            return null;
          });
    }
  }

  private static void addUndeclared(Kinds kinds, Desk desk, String name, String kind) {
    kinds.addFailing(
        name,
        () -> {
          desk.failUndeclared(kind);
          return null;
        });
  }
}
