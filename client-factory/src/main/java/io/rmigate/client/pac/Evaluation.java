package io.rmigate.client.pac;

import java.io.IOException;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;

/** One evaluation of a PAC file: the variables of the script, the network, and the budget. */
final class Evaluation {
  final Budget budget;
  final PacNetwork network;
  private final Map<String, Object> globals = new HashMap<>();
  private InetAddress ownAddress; // null until it is asked for

  Evaluation(String file, PacNetwork network) {
    this.budget = new Budget(file, network);
    this.network = network;
    globals.putAll(PacFunctions.ALL);
  }

  PacException problem(int line, String problem) {
    return budget.problem(line, problem);
  }

  /** The address of this machine; the network is asked for it once. */
  InetAddress ownAddress() {
    if (ownAddress == null) {
      ownAddress = network.ownAddress();
    }
    return ownAddress;
  }

  /** The variables of one call, over those of the script. */
  final class Frame {
    private final Map<String, Object> locals;

    /**
     * @param locals of a function; null at the top
     */
    Frame(Map<String, Object> locals) {
      this.locals = locals;
    }

    Evaluation run() {
      return Evaluation.this;
    }

    /** The value of a variable, null if there is none. */
    Object find(String name) {
      Object local = locals == null ? null : locals.get(name);
      return local == null ? globals.get(name) : local;
    }

    /** Into the variable of that name; one that is nowhere declared is the script's. */
    void assign(String name, Object value) {
      if (locals != null && locals.containsKey(name)) {
        locals.put(name, value);
      } else {
        globals.put(name, value);
      }
    }

    Object evaluate(Expression expression) throws IOException {
      budget.enter(expression.line());
      try {
        return expression.evaluate(this);
      } finally {
        budget.leave();
      }
    }

    Completion execute(Statement statement) throws IOException {
      budget.enter(statement.line());
      try {
        return statement.execute(this);
      } finally {
        budget.leave();
      }
    }
  }
}
