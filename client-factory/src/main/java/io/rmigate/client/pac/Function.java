package io.rmigate.client.pac;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A function of the script.
 *
 * @param variables all that are declared in it, wherever
 */
record Function(String name, List<String> parameters, Set<String> variables, Statement body)
    implements Callable {

  @Override
  public Object call(Evaluation run, List<Object> arguments, int line) throws IOException {
    run.budget.spend(variables.size(), line);
    Map<String, Object> locals = new HashMap<>();
    for (String variable : variables) {
      locals.put(variable, EmptyValue.UNDEFINED);
    }
    for (int i = 0; i < parameters.size(); i++) {
      locals.put(parameters.get(i), i < arguments.size() ? arguments.get(i) : EmptyValue.UNDEFINED);
    }
    return run.new Frame(locals).execute(body).value();
  }
}
