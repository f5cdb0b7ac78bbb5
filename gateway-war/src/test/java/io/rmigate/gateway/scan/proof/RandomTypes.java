package io.rmigate.gateway.scan.proof;

import io.rmigate.gateway.scan.proof.SourceModel.Callable;
import io.rmigate.gateway.scan.proof.SourceModel.Declaration;
import io.rmigate.gateway.scan.proof.SourceModel.Feature;
import io.rmigate.gateway.scan.proof.SourceModel.Kind;
import io.rmigate.gateway.scan.proof.SourceModel.Scope;
import io.rmigate.gateway.scan.proof.SourceModel.Variable;
import java.util.ArrayList;
import java.util.List;

/** Writes one type with its members. */
final class RandomTypes extends RandomStatements {
  private final StringBuilder text = new StringBuilder();

  RandomTypes(SourceModel model, Declaration self) {
    super(model, self);
  }

  String write() {
    String parents = String.join(", ", self.interfaces);
    switch (self.kind) {
      case INTERFACE -> {
        text.append("interface ").append(self.name);
        text.append(parents.isEmpty() ? "" : " extends " + parents).append(" {\n");
      }
      case RECORD -> {
        List<String> components =
            self.fields.stream()
                .filter(field -> !field.isStatic())
                .map(field -> field.type() + " " + field.name())
                .toList();
        text.append("record ").append(self.name).append('(');
        text.append(String.join(", ", components)).append(") implements ");
        text.append(parents).append(" {\n");
      }
      case ENUM -> {
        text.append("enum ").append(self.name);
        text.append(parents.isEmpty() ? "" : " implements " + parents).append(" {\n");
        writeConstants();
      }
      default -> {
        text.append("class ").append(self.name);
        text.append(self.parent.isEmpty() ? "" : " extends " + self.parent);
        text.append(parents.isEmpty() ? "" : " implements " + parents).append(" {\n");
      }
    }
    for (Variable field : self.fields) {
      if (field.isStatic()) {
        room = 2;
        boolean before = inConstructor;
        inConstructor = true;
        String value = of(field.type(), 2, new Scope(false, List.of(), "void"));
        inConstructor = before;
        line(field.flags() + " " + field.type() + " " + field.name() + " = " + value + ";");
      } else if (self.kind != Kind.RECORD) {
        line(field.flags() + " " + field.type() + " " + field.name() + ";");
      }
    }
    writeConstructors();
    self.methods.forEach(this::write);
    writeReaders();
    return text.append("}\n").toString();
  }

  private void line(String code) {
    text.append("  ").append(code.strip()).append('\n');
  }

  private void writeConstants() {
    Scope scope = new Scope(false, List.of(), "void");
    room = 3;
    inConstructor = true;
    StringBuilder constants = new StringBuilder("A(" + of("Object", 2, scope) + ")");
    constants.append(", B(").append(of("Object", 2, scope)).append(')');
    List<Callable> open = self.methods.stream().filter(m -> m.flags().equals("public")).toList();
    if (!open.isEmpty() && model.oneIn(2)) {
      Callable method = model.any(open);
      inConstant = true;
      inConstructor = false;
      constants.append(" { ").append(method(method, true)).append(" }");
      inConstant = false;
    }
    inConstructor = false;
    line(constants + ";");
    line("private Object own;");
  }

  private void writeConstructors() {
    List<Variable> own = self.fields.stream().filter(field -> !field.isStatic()).toList();
    switch (self.kind) {
      case RECORD -> {
        Scope scope = new Scope(false, List.of(), "void");
        own.forEach(field -> scope.with(field.name(), field.type(), "mutable"));
        room = model.random.nextInt(3);
        line(model.oneIn(3) ? explicit(own, scope) : self.name + " { " + block(scope, 1) + " }");
      }
      case ENUM -> {
        Scope scope = new Scope(false, List.of(), "void").with("x", "Object");
        inConstructor = true;
        line(self.name + "(Object x) { own = x; " + initials(own, scope, true) + " }");
        inConstructor = false;
      }
      case CLASS -> {
        Scope scope = new Scope(false, List.of(), "void");
        String more =
            model.has(Feature.CONSTRUCTORS) && model.oneIn(3)
                ? statements(new Scope(true, List.of(), "void"))
                : "";
        line("public " + self.name + "() { " + initials(own, scope, false) + more + " }");
        if (self.hasArgumentConstructor) {
          scope.with("x", "Object");
          line(self.name + "(Object x) { " + initials(own, scope, true) + " }");
        }
      }
      default -> {}
    }
  }

  private String statements(Scope scope) {
    room = 1 + model.random.nextInt(2);
    return block(scope, 1);
  }

  /** Each final field gets a value, and some others. */
  private String initials(List<Variable> own, Scope scope, boolean given) {
    StringBuilder code = new StringBuilder();
    for (Variable field : own) {
      room = 1;
      boolean taken = given && field.type().equals("Object");
      String simple =
          switch (field.type()) {
            case "int" -> "0";
            case "Object" -> taken ? "x" : "null";
            default ->
                model.has(Feature.INITIALIZERS) && model.oneIn(2)
                    ? of(field.type(), 1, scope)
                    : "null";
          };
      if (field.isFinal() || model.oneIn(2)) {
        code.append("this.").append(field.name()).append(" = ").append(simple).append("; ");
      }
    }
    return code.toString();
  }

  private void write(Callable method) {
    line(method(method, false));
  }

  private String method(Callable method, boolean inConstant) {
    String form = method.form();
    String returned = form.substring(0, form.indexOf('('));
    List<String> parameters = new ArrayList<>();
    Scope scope = new Scope(!method.isStatic(), List.of(), returned);
    String types = form.substring(form.indexOf('(') + 1, form.length() - 1);
    String[] names = {"x", "y"};
    int at = 0;
    for (String type : types.isEmpty() ? new String[0] : types.split(",", -1)) {
      String name = type.equals("int") ? "n" : names[at++];
      parameters.add(type + " " + name);
      scope.with(name, type);
    }
    String flags = method.flags();
    if (self.kind == Kind.INTERFACE && flags.equals("abstract")) {
      return returned + " " + method.name() + "(" + String.join(", ", parameters) + ");";
    }
    String head =
        (inConstant ? "public" : flags)
            + (" " + returned + " " + method.name() + "(" + String.join(", ", parameters) + ") { ");
    String usual = model.oneIn(2) && self.kind == Kind.CLASS ? usual(method.name()) : "";
    if (!usual.isEmpty()) {
      return head + usual + " }";
    }
    room = model.random.nextInt(4);
    String body = block(scope, 0);
    String end =
        switch (returned) {
          case "void" -> "";
          case "boolean" -> "return " + condition(1, scope) + ";";
          case "long", "float", "double" -> "return 0;";
          default -> "return " + of(returned, 2, scope) + ";";
        };
    return head + body + end + " }";
  }

  /** What a method does in most programs; empty if that is not known. */
  private String usual(String method) {
    List<Variable> own =
        self.fields.stream()
            .filter(f -> !f.isStatic() && (f.type().equals("int") || !f.type().contains("[")))
            .toList();
    StringBuilder code = new StringBuilder();
    switch (method) {
      case "hashCode" -> {
        List<String> names = own.stream().map(Variable::name).toList();
        if (names.isEmpty() || model.oneIn(2)) {
          code.append("int h = ").append(self.parent.isEmpty() ? "1" : "super.hashCode()");
          code.append("; ");
          for (Variable field : own) {
            String one = field.name();
            boolean number = field.type().equals("int");
            code.append("h = 31 * h + ");
            code.append(number ? one : "(" + one + " == null ? 0 : " + one + ".hashCode())");
            code.append("; ");
          }
          return code + "return h;";
        }
        return "return Objects.hash(" + String.join(", ", names) + ");";
      }
      case "equals" -> {
        code.append("if (this == x) return true; if (!(x instanceof ").append(self.name);
        code.append(")) return false; ").append(self.name).append(" o = (").append(self.name);
        code.append(") x; return true");
        own.forEach(f -> code.append(" && Objects.equals(" + f.name() + ", o." + f.name() + ")"));
        return code + ";";
      }
      case "toString" -> {
        code.append("return \"").append(self.name).append('"');
        own.forEach(f -> code.append(" + ").append(f.name()));
        return code + ";";
      }
      default -> {
        return "";
      }
    }
  }

  private void writeReaders() {
    if (self.kind != Kind.CLASS && self.kind != Kind.RECORD) {
      return;
    }
    boolean external = model.isA(self, "Externalizable");
    boolean inheritsReader =
        external && !self.interfaces.contains("Externalizable") && model.oneIn(2);
    if (external && !inheritsReader) {
      line("public void writeExternal(ObjectOutput out) { }");
      line("public void readExternal(ObjectInput in) " + reader("", model.oneIn(2) ? 2 : 1));
    } else if (!external
        && self.kind == Kind.CLASS
        && model.isA(self, "Serializable")
        && model.oneIn(3)) {
      String start = model.oneIn(4) ? fromValues() : "in.defaultReadObject(); ";
      if (model.isA(self, "ObjectInputValidation")) {
        start = "in.registerValidation(this, 0); " + start;
      }
      line(
          "private void readObject(ObjectInputStream in) "
              + reader(start, model.random.nextInt(3)));
    }
    if (model.isA(self, "Serializable") && model.oneIn(6)) {
      Scope scope = new Scope(true, List.of(), "Object");
      room = model.random.nextInt(3);
      String body = block(scope, 0);
      line("private Object readResolve() { " + body + "return " + of("Object", 2, scope) + "; }");
    }
  }

  /** The canonical constructor of a record: a field may get what is given for another one. */
  private String explicit(List<Variable> own, Scope scope) {
    StringBuilder code = new StringBuilder(self.name).append('(');
    List<String> components = own.stream().map(f -> f.type() + " " + f.name()).toList();
    code.append(String.join(", ", components)).append(") { ").append(block(scope.inner(), 1));
    for (Variable field : own) {
      List<String> fitting =
          own.stream().filter(f -> model.fits(f.type(), field.type())).map(Variable::name).toList();
      code.append("this.").append(field.name()).append(" = ");
      code.append(model.any(fitting)).append("; ");
    }
    return code.append('}').toString();
  }

  /** Reads the fields by their names, and stores them in any. */
  private String fromValues() {
    List<Variable> own =
        self.fields.stream()
            .filter(f -> !f.isStatic() && !f.isFinal() && !f.type().equals("int"))
            .toList();
    StringBuilder code = new StringBuilder("ObjectInputStream.GetField got = in.readFields(); ");
    for (Variable field : own) {
      String type = field.type();
      code.append(field.name()).append(" = (").append(type).append(") got.get(\"");
      code.append(model.any(own).name()).append("\", null); ");
    }
    return code.toString();
  }

  private String reader(String start, int reads) {
    Scope scope = new Scope(true, List.of(), "void");
    StringBuilder code = new StringBuilder("throws IOException, ClassNotFoundException { ");
    code.append(start);
    StringBuilder layout = new StringBuilder();
    String number = "";
    for (int i = 0; i < reads; i++) {
      String name = model.fresh("r");
      if (model.oneIn(2)) {
        code.append("int ").append(name).append(" = in.readInt(); ");
        layout.append('I');
        scope.with(name, "int");
        number = name;
      } else if (!number.isEmpty() && model.oneIn(2)) {
        room = 1 + model.random.nextInt(2);
        Scope inner = scope.inner().with(name, "Object");
        code.append(
            ("for (int i = 0; i < " + number + "; i++) { Object " + name + " = in.readObject(); ")
                + (block(inner, 1) + "} "));
        layout.append('L');
      } else {
        code.append("Object ").append(name).append(" = in.readObject(); ");
        layout.append('O');
        scope.with(name, "Object");
      }
    }
    model.layouts.put(model.packageName + "." + self.name, layout.toString());
    room = 1 + model.random.nextInt(3);
    return code.append(block(scope, 0)).append('}').toString();
  }
}
