package io.rmigate.gateway.scan;

import io.rmigate.gateway.scan.Gadgets.Gadget;
import io.rmigate.gateway.scan.proof.KnownChains;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.Callable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Chains that are publicly known, made of the real libraries, which a class loader of their own
 * has: each comes to {@link Mark} and to nothing else. The libraries are those of {@link
 * KnownChains}.
 */
@SuppressWarnings({"JdkObsolete", "unchecked"})
final class LibraryGadgets implements AutoCloseable {
  private static final List<String> JARS =
      List.of(
          "commons-collections-3.1",
          "commons-collections4-4.0",
          "commons-beanutils-1.9.2",
          "commons-logging-1.2",
          "commons-lang3-3.14.0",
          "rome-1.0",
          "spring-core-4.1.4.RELEASE",
          "click-nodeps-2.3.0",
          "javax.servlet-api-3.1.0",
          "jackson-databind-2.14.2",
          "jackson-core-2.14.2",
          "jackson-annotations-2.14.2",
          "bsh-2.0b5");

  private static final String COLLECTIONS = "org.apache.commons.collections.";
  private static final String COLLECTIONS_4 = "org.apache.commons.collections4.";
  private static final String NODE = "com.fasterxml.jackson.databind.node.BaseJsonNode";

  private final Loader loader;

  LibraryGadgets() {
    loader = new Loader(jars());
  }

  /** Where the libraries are. */
  static List<Path> jars() {
    return JARS.stream().map(jar -> KnownChains.directory().resolve(jar + ".jar")).toList();
  }

  /** A chain as an object. */
  record LibraryChain(String name, Object graph, Set<String> classes) {
    Gadget gadget() {
      return new Gadget(name, true, classes, Gadgets.behind(graph));
    }

    @Override
    public String toString() {
      return name;
    }
  }

  /** All that are made. */
  List<LibraryChain> all() {
    List<LibraryChain> all = new ArrayList<>();
    add(
        all,
        "commons-collections: tied entry of a lazy map, as a key",
        this::tiedEntry,
        COLLECTIONS + "functors.InvokerTransformer");
    add(
        all,
        "commons-collections: lazy maps that are alike",
        this::lazyMaps,
        COLLECTIONS + "functors.InvokerTransformer");
    add(
        all,
        "commons-collections: constructor of a chosen class",
        this::instantiated,
        COLLECTIONS + "functors.InstantiateTransformer");
    add(
        all,
        "commons-collections4: comparator that transforms",
        this::transformed,
        COLLECTIONS_4 + "functors.InvokerTransformer");
    add(
        all,
        "commons-collections4: sorted bag",
        this::sortedBag,
        COLLECTIONS_4 + "functors.InvokerTransformer");
    add(
        all,
        "commons-beanutils: comparator of properties",
        this::beans,
        "org.apache.commons.beanutils.BeanComparator");
    add(all, "ROME: bean as text", this::feed, "com.sun.syndication.feed.impl.ToStringBean");
    add(
        all,
        "Spring: type behind a method",
        this::typeBehindMethod,
        "org.springframework.core.SerializableTypeWrapper$MethodInvokeTypeProvider");
    add(
        all,
        "Click: comparator of columns",
        this::columns,
        "org.apache.click.control.Column$ColumnComparator");
    add(
        all,
        "Jackson: node of any bean",
        this::node,
        "com.fasterxml.jackson.databind.node.POJONode");
    add(all, "BeanShell: interpreter behind a proxy", this::script, "bsh.XThis$Handler");
    return all;
  }

  private void add(List<LibraryChain> all, String name, Callable<Object> made, String... classes) {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(loader);
    try {
      all.add(new LibraryChain(name, made.call(), Set.of(classes)));
    } catch (Exception e) {
      throw new IllegalStateException(name, e);
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  /** Has the libraries, and of the tests' classes the same that the tests have. */
  private static final class Loader extends URLClassLoader {
    Loader(List<Path> jars) {
      super(
          jars.stream().map(Loader::url).toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
    }

    private static URL url(Path jar) {
      try {
        return jar.toUri().toURL();
      } catch (MalformedURLException impossible) {
        throw new UncheckedIOException(impossible);
      }
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      if (name.startsWith("io.rmigate.")) {
        return LibraryGadgets.class.getClassLoader().loadClass(name);
      }
      return name.equals(NODE) ? nodeThatIsWritten() : super.findClass(name);
    }

    /** As a sender has it who wants the node itself in his stream. */
    private Class<?> nodeThatIsWritten() throws ClassNotFoundException {
      try (InputStream file = getResourceAsStream(NODE.replace('.', '/') + ".class")) {
        ClassWriter writer = new ClassWriter(0);
        new ClassReader(file)
            .accept(
                new ClassVisitor(Opcodes.ASM9, writer) {
                  @Override
                  public MethodVisitor visitMethod(
                      int access, String method, String type, String generic, String[] thrown) {
                    return method.equals("writeReplace")
                        ? null
                        : super.visitMethod(access, method, type, generic, thrown);
                  }
                },
                0);
        byte[] bytes = writer.toByteArray();
        return defineClass(NODE, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(NODE, e);
      }
    }
  }

  private Class<?> type(String name) throws ClassNotFoundException {
    return Class.forName(name, true, loader);
  }

  private Object make(String type, Object... arguments) throws ReflectiveOperationException {
    for (Constructor<?> constructor : type(type).getDeclaredConstructors()) {
      if (takes(constructor.getParameterTypes(), arguments)) {
        return open(constructor).newInstance(arguments);
      }
    }
    throw new NoSuchMethodException(type + Arrays.toString(arguments));
  }

  private Object call(String type, Object target, String name, Object... arguments)
      throws ReflectiveOperationException {
    for (Method method : type(type).getDeclaredMethods()) {
      if (method.getName().equals(name) && takes(method.getParameterTypes(), arguments)) {
        return open(method).invoke(target, arguments);
      }
    }
    throw new NoSuchMethodException(type + "." + name + Arrays.toString(arguments));
  }

  private static boolean takes(Class<?>[] types, Object[] arguments) {
    if (types.length != arguments.length) {
      return false;
    }
    for (int i = 0; i < types.length; i++) {
      if (arguments[i] != null && !types[i].isPrimitive() && !types[i].isInstance(arguments[i])) {
        return false;
      }
    }
    return true;
  }

  private static <T extends AccessibleObject> T open(T member) {
    member.setAccessible(true);
    return member;
  }

  /** A chain of transformers that calls {@link Mark#leave} for any input. */
  private Object chain(String collections) throws ReflectiveOperationException {
    Class<?> transformer = type(collections + "Transformer");
    String functors = collections + "functors.";
    Object[] steps = {
      make(functors + "ConstantTransformer", Mark.class),
      make(
          functors + "InvokerTransformer",
          "getMethod",
          new Class<?>[] {String.class, Class[].class},
          new Object[] {"leave", new Class<?>[0]}),
      make(
          functors + "InvokerTransformer",
          "invoke",
          new Class<?>[] {Object.class, Object[].class},
          new Object[] {null, new Object[0]}),
      make(functors + "ConstantTransformer", 1)
    };
    Object[] typed = (Object[]) java.lang.reflect.Array.newInstance(transformer, steps.length);
    System.arraycopy(steps, 0, typed, 0, steps.length);
    for (Constructor<?> constructor :
        type(functors + "ChainedTransformer").getDeclaredConstructors()) {
      if (constructor.getParameterCount() == 1) {
        return open(constructor).newInstance((Object) typed);
      }
    }
    throw new NoSuchMethodException(functors + "ChainedTransformer");
  }

  private Map<Object, Object> lazyMap(Object transformer) throws ReflectiveOperationException {
    return (Map<Object, Object>) make(COLLECTIONS + "map.LazyMap", new HashMap<>(), transformer);
  }

  private Object tied(Object transformer) throws ReflectiveOperationException {
    Map<Object, Object> lazy = lazyMap(transformer);
    Map<Object, Object> keys = new HashMap<>();
    keys.put(make(COLLECTIONS + "keyvalue.TiedMapEntry", lazy, "key"), "value");
    lazy.clear();
    return keys;
  }

  private Object tiedEntry() throws ReflectiveOperationException {
    return tied(chain(COLLECTIONS));
  }

  private Object instantiated() throws ReflectiveOperationException {
    String functors = COLLECTIONS + "functors.";
    Object instantiate = make(functors + "InstantiateTransformer", new Class<?>[0], new Object[0]);
    Object[] typed =
        (Object[]) java.lang.reflect.Array.newInstance(type(COLLECTIONS + "Transformer"), 2);
    typed[0] = make(functors + "ConstantTransformer", Mark.Made.class);
    typed[1] = instantiate;
    Object chained =
        open(type(functors + "ChainedTransformer").getDeclaredConstructor(typed.getClass()))
            .newInstance((Object) typed);
    return tied(chained);
  }

  private Object lazyMaps() throws ReflectiveOperationException {
    Object chain = chain(COLLECTIONS);
    Map<Object, Object> one = lazyMap(chain);
    Map<Object, Object> other = lazyMap(chain);
    one.put("yy", "value");
    other.put("zZ", "value"); // the hash code is that of the other one
    Hashtable<Object, Object> both = new Hashtable<>();
    both.put(one, 1);
    both.put(other, 2);
    other.remove("yy"); // what comparing them has put there
    return both;
  }

  private static PriorityQueue<Object> queue(Comparator<Object> comparator, Object element) {
    PriorityQueue<Object> queue = new PriorityQueue<>(2, comparator);
    queue.add(element);
    queue.add(element);
    return queue;
  }

  private Object transformed() throws ReflectiveOperationException {
    return queue(
        (Comparator<Object>)
            make(COLLECTIONS_4 + "comparators.TransformingComparator", chain(COLLECTIONS_4)),
        1);
  }

  private Object sortedBag() throws ReflectiveOperationException {
    Object comparator =
        make(COLLECTIONS_4 + "comparators.TransformingComparator", chain(COLLECTIONS_4));
    Object bag = make(COLLECTIONS_4 + "bag.TreeBag", comparator);
    ((java.util.Collection<Object>) bag).add("element");
    return bag;
  }

  private Object beans() throws ReflectiveOperationException {
    return queue(
        (Comparator<Object>)
            make(
                "org.apache.commons.beanutils.BeanComparator",
                "harmful",
                Collections.reverseOrder()),
        new Mark());
  }

  private Object feed() throws ReflectiveOperationException {
    String feed = "com.sun.syndication.feed.impl.";
    Object text = make(feed + "ToStringBean", Mark.class, new Mark());
    Object bean = make(feed + "ObjectBean", type(feed + "ToStringBean"), text);
    return new HashMap<>(Map.of(bean, "value"));
  }

  private Object typeBehindMethod() throws ReflectiveOperationException {
    String wrapper = "org.springframework.core.SerializableTypeWrapper$";
    Object parameter =
        make(
            "org.springframework.core.MethodParameter",
            Mark.class.getMethod("of", Mark.Made.class),
            0);
    Object type = make(wrapper + "MethodParameterTypeProvider", parameter);
    return make(
        wrapper + "MethodInvokeTypeProvider", type, Class.class.getMethod("newInstance"), 0);
  }

  private Object columns() throws ReflectiveOperationException {
    String control = "org.apache.click.control.";
    Object column = make(control + "Column", "harmful");
    call(control + "Column", column, "setTable", make(control + "Table"));
    return queue(
        (Comparator<Object>) make(control + "Column$ColumnComparator", column), new Mark());
  }

  private Comparator<Object> ofTexts() throws ReflectiveOperationException {
    return (Comparator<Object>) make("org.apache.commons.lang3.compare.ObjectToStringComparator");
  }

  private Object node() throws ReflectiveOperationException {
    return queue(ofTexts(), make("com.fasterxml.jackson.databind.node.POJONode", new Mark()));
  }

  private Object script() throws ReflectiveOperationException {
    String code =
        "compare(Object one, Object other) { new "
            + Mark.class.getName()
            + "().getHarmful(); return 1; }";
    Object interpreter = make("bsh.Interpreter");
    call("bsh.Interpreter", interpreter, "eval", code);
    Object self =
        make("bsh.XThis", call("bsh.Interpreter", interpreter, "getNameSpace"), interpreter);
    Field handler = open(type("bsh.XThis").getDeclaredField("invocationHandler"));
    Object proxy =
        Proxy.newProxyInstance(
            loader, new Class<?>[] {Comparator.class}, (InvocationHandler) handler.get(self));
    return queue((Comparator<Object>) proxy, 1);
  }

  @Override
  public void close() throws IOException {
    loader.close();
  }
}
