package io.rmigate.gateway.testing;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.rmi.NoSuchObjectException;
import java.rmi.Remote;
import java.rmi.server.RMISocketFactory;
import java.rmi.server.UnicastRemoteObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Enumeration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.stream.Stream;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * Runs one program after the other in this JVM, as {@link ReusableJvms} asks for by control lines
 * on standard input; all other lines are the standard input of the program. A program is over when
 * its {@code main} has returned; a control line closes its input, and interrupts it if its classes
 * are its own. After each program its objects are unexported, its MBeans unregistered and its
 * threads ended. What cannot be undone ends the JVM with {@link #NOT_REUSABLE}, so that a program
 * that leaves threads or temporary files behind fails its test.
 *
 * <p>Arguments: {@link #NEW_CLASSES} or {@link #SAME_CLASSES}, and the main class. A program that
 * has a method {@code int run(String[])} says its exit code by that.
 *
 * <p>Needs {@link #OPTIONS}.
 */
final class ProgramRunner {
  /** Marks control lines, which no program writes or reads. */
  static final String CONTROL = "\u0001";

  /** To the runner: starts the program with the arguments behind it, each behind a CONTROL. */
  static final String START = CONTROL + "start";

  /** To the runner: ends the program. */
  static final String END = CONTROL + "end";

  /** From the runner: the program is over; a space and the exit code follow. */
  static final String ENDED = CONTROL + "ended ";

  /** Each run loads the classes of the program anew, with their static fields. */
  static final String NEW_CLASSES = "new-classes";

  /** The runs of the program share its classes, which must keep no state in static fields. */
  static final String SAME_CLASSES = "same-classes";

  /** The system property with the class path of the program, without the runner. */
  static final String CLASS_PATH = "rmigate.test.program.path";

  /** Exit code of a JVM in which a program has left something behind. */
  static final int NOT_REUSABLE = 70;

  /** Options of the JVM, for access to the tables of exported objects. */
  static final List<String> OPTIONS =
      List.of(
          "--add-opens=java.rmi/java.rmi.server=ALL-UNNAMED",
          "--add-opens=java.rmi/sun.rmi.transport=ALL-UNNAMED");

  /** Most programs end with their input, those that have none when they are interrupted. */
  private static final Duration TIME_TO_RETURN = Duration.ofMillis(100);

  private static final Duration TIME_TO_END = Duration.ofSeconds(40);

  private final boolean newClasses;
  private final String program;
  private final PrintStream out = System.out;
  private final MBeanServer beans = ManagementFactory.getPlatformMBeanServer();

  private PipedOutputStream input;
  private Thread running;
  private boolean over; // guarded by this; the program has returned

  private ProgramRunner(boolean newClasses, String program) {
    this.newClasses = newClasses;
    this.program = program;
  }

  /** See the class comment. */
  public static void main(String[] arguments) throws Exception {
    new ProgramRunner(arguments[0].equals(NEW_CLASSES), arguments[1]).obey();
    System.exit(0);
  }

  private void obey() throws Exception {
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.startsWith(START)) {
        start(line.substring(START.length()));
      } else if (line.equals(END)) {
        end();
      } else {
        pass(line);
      }
    }
    end();
  }

  /** From now on {@link #end} interrupts nothing; called by the thread of the program. */
  private synchronized void markOver() {
    over = true;
    Thread.interrupted(); // by the control line, perhaps when the program had returned
  }

  private synchronized void interruptProgram() {
    if (!over) {
      running.interrupt();
    }
  }

  private void start(String line) throws Exception {
    String[] arguments = Arrays.stream(line.split(CONTROL, -1)).skip(1).toArray(String[]::new);
    PipedInputStream in = new PipedInputStream(1 << 16);
    input = new PipedOutputStream(in);
    System.setIn(in);
    ThreadGroup group = new ThreadGroup(program);
    Properties propertiesBefore = new Properties();
    propertiesBefore.putAll(System.getProperties());
    Set<ObjectName> beansBefore = new HashSet<>(beans.queryNames(null, null));
    synchronized (this) {
      over = false;
    }
    ClassLoader loader = newClasses ? loaderOfItsOwn() : ProgramRunner.class.getClassLoader();
    running =
        new Thread(
            group,
            () -> {
              int exitCode = run(loader, arguments);
              markOver();
              cleanUp(group, beansBefore);
              System.setProperties(propertiesBefore);
              out.println(ENDED + exitCode);
              out.flush();
            },
            "main");
    running.setContextClassLoader(loader);
    running.start();
  }

  private static ClassLoader loaderOfItsOwn() throws MalformedURLException {
    List<URL> urls = new ArrayList<>();
    for (String entry : System.getProperty(CLASS_PATH).split(File.pathSeparator, -1)) {
      urls.add(Path.of(entry).toUri().toURL());
    }
    return new OwnLoader(new URLClassLoader(urls.toArray(URL[]::new), null));
  }

  /** Unlike a URLClassLoader, it makes RMI annotate no class with a codebase. */
  private static final class OwnLoader extends ClassLoader {
    private final URLClassLoader files;

    OwnLoader(URLClassLoader files) {
      super(ClassLoader.getPlatformClassLoader());
      this.files = files;
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      try (InputStream in = files.getResourceAsStream(name.replace('.', '/') + ".class")) {
        if (in == null) {
          throw new ClassNotFoundException(name);
        }
        byte[] bytes = in.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }

    @Override
    protected URL findResource(String name) {
      return files.findResource(name);
    }

    @Override
    protected Enumeration<URL> findResources(String name) throws IOException {
      return files.findResources(name);
    }
  }

  private int run(ClassLoader loader, String[] arguments) {
    try {
      Class<?> type = Class.forName(program, true, loader);
      for (Method method : type.getDeclaredMethods()) {
        if (method.getName().equals("run")
            && Arrays.equals(method.getParameterTypes(), new Class<?>[] {String[].class})) {
          return (int) method.invoke(null, (Object) arguments);
        }
      }
      type.getMethod("main", String[].class).invoke(null, (Object) arguments);
      return 0;
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof InterruptedException) {
        return 0; // it waits for nothing but its end
      }
      e.getCause().printStackTrace();
      return 1;
    } catch (ReflectiveOperationException e) {
      e.printStackTrace();
      return 1;
    }
  }

  private void pass(String line) {
    try {
      input.write((line + "\n").getBytes(StandardCharsets.UTF_8));
      input.flush();
    } catch (IOException e) {
      // The program is over, and reads no more.
    }
  }

  private void end() throws IOException, InterruptedException {
    if (running == null) {
      return;
    }
    input.close();
    if (newClasses) { // a server, which stops nothing; a gateway is left to drain
      running.join(TIME_TO_RETURN.toMillis());
      interruptProgram();
    }
    running.join();
    running = null;
  }

  private void cleanUp(ThreadGroup group, Set<ObjectName> beansBefore) {
    try {
      unexportAll();
      for (ObjectName bean : beans.queryNames(null, null)) {
        if (!beansBefore.contains(bean) && beans.isRegistered(bean)) {
          beans.unregisterMBean(bean);
        }
      }
      Field factory = RMISocketFactory.class.getDeclaredField("factory");
      factory.setAccessible(true);
      factory.set(null, null); // it can be set once only
      awaitThreads(group);
      awaitNoTemporaryFiles();
    } catch (ReflectiveOperationException | JMException | IOException | InterruptedException e) {
      fail(e.toString());
    }
  }

  /** Unexports all objects but those of the RMI runtime itself, the collector among them. */
  private static void unexportAll() throws ReflectiveOperationException {
    Class<?> table = Class.forName("sun.rmi.transport.ObjectTable");
    Field targets = table.getDeclaredField("implTable");
    targets.setAccessible(true);
    List<Object> copy;
    Field lock = table.getDeclaredField("tableLock");
    lock.setAccessible(true);
    synchronized (lock.get(null)) {
      copy = new ArrayList<>(((Map<?, ?>) targets.get(null)).values());
    }
    for (Object target : copy) {
      Method getImpl = target.getClass().getDeclaredMethod("getImpl");
      getImpl.setAccessible(true);
      if (getImpl.invoke(target) instanceof Remote exported
          && !exported.getClass().getName().startsWith("sun.rmi.transport.")
          && !exported.getClass().getName().startsWith("javax.management.remote.rmi.")
          && !exported.getClass().getName().startsWith("sun.management.jmxremote.")) {
        try {
          UnicastRemoteObject.unexportObject(exported, true);
        } catch (NoSuchObjectException e) {
          // Collected meanwhile.
        }
      }
    }
  }

  /**
   * Interrupts the threads of the program, daemons too, and waits for their end. Threads of
   * fork-join pools are left alone, because the JDK's common pool keeps them for all programs.
   */
  private static void awaitThreads(ThreadGroup group) throws InterruptedException {
    Thread[] threads = new Thread[group.activeCount() + 64];
    int count = group.enumerate(threads);
    long end = System.nanoTime() + TIME_TO_END.toNanos();
    for (Thread thread : Arrays.asList(threads).subList(0, count)) {
      if (thread != Thread.currentThread() && !(thread instanceof ForkJoinWorkerThread)) {
        thread.interrupt();
        thread.join(Math.max(1, (end - System.nanoTime()) / 1_000_000));
        if (thread.isAlive()) {
          fail("thread " + thread.getName() + " " + Arrays.toString(thread.getStackTrace()));
        }
      }
    }
  }

  private static void awaitNoTemporaryFiles() throws IOException {
    Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
    try (Stream<Path> files = Files.list(temporary)) {
      List<Path> left = files.toList();
      if (!left.isEmpty()) {
        fail("temporary files " + left);
      }
    }
  }

  private static void fail(String what) {
    System.out.println("left behind: " + what);
    System.exit(NOT_REUSABLE);
  }
}
