package io.rmigate.gateway.standalone;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.net.URISyntaxException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code install}: unpacks the libraries of the WAR into a directory and makes an archive of the
 * classes that the gateway loads at its start, from which a JVM maps them instead of parsing and
 * verifying them: an AOT cache where the JVM has these (JEP 514), else a dynamic archive of shared
 * classes (JEP 350). The archive holds only for this class path and this build of the JVM; any
 * other JVM ignores it.
 *
 * <pre>
 *   DIR/lib/*.jar       class path, in the order of names
 *   DIR/rmigate.aot     or rmigate.jsa: the archive
 *   DIR/java.args       JVM options and main class: java @DIR/java.args --config rmigate.yaml
 * </pre>
 */
@Command(
    name = "install",
    description = {
      "Unpack the gateway into a directory, with an archive of its classes, so that it starts in"
          + " half of the time: java @DIR/java.args --config FILE.",
      "The archive is for the JVM that makes it; another JVM starts the gateway without it. Install"
          + " again after an update of the JVM or of rmigate."
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = Standalone.EXIT_CODES,
    exitCodeList = {
      "0:The gateway is installed; a warning says if there is no archive.",
      "1:A file cannot be written.",
      "2:The directory has other contents, or the command does not run from the WAR."
    })
final class InstallCommand implements Callable<Integer> {
  private static final String ARGUMENTS = "java.args";
  private static final String LIBRARIES = "lib";
  private static final String AOT_CACHE = "rmigate.aot";
  private static final String SHARED_CLASSES = "rmigate.jsa";

  /** Before all libraries in the order of names. */
  private static final String OWN_CLASSES = "0-rmigate.jar";

  /** Since this version a JVM writes an AOT cache at the end of one run. */
  private static final int FIRST_WITH_AOT_CACHE = 25;

  /** A slow machine needs a tenth of it. */
  private static final long LONGEST_TRAINING_MINUTES = 5;

  /** Settings that are for another process than the one that is trained. */
  private static final List<String> FOREIGN = List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS");

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "DIR",
      description =
          "The directory: new, empty, or with an earlier installation, which is replaced.")
  private Path directory;

  @Override
  public Integer call() throws IOException, InterruptedException {
    Path classes = unpackedClasses();
    if (directory.toString().isEmpty()) {
      throw new ParameterException(spec.commandLine(), "the name of DIR is empty");
    }
    Path target = directory.toAbsolutePath().normalize();
    clear(target);
    boolean usesArchive =
        hasAotCache() || target.toUri().getRawPath().equals(target.toUri().getPath());
    if (!usesArchive) {
      PrintWriter err = spec.commandLine().getErr();
      err.println(
          "rmigate: this JVM uses no archive in a directory with spaces or other characters that"
              + " URLs"
              + " encode; name another directory, or install with Java 25");
      err.flush();
    }
    PrintWriter out = spec.commandLine().getOut();
    say(out, "unpacking into " + target);
    String classPath = unpack(classes, Files.createDirectories(target.resolve(LIBRARIES)));
    List<String> options = List.of();
    if (usesArchive) {
      say(out, "starting the gateway once, to archive the classes that it loads");
      options = archive(target, classPath);
    }
    Path arguments = target.resolve(ARGUMENTS);
    Files.writeString(arguments, arguments(options, classPath, arguments));
    say(out, "installed; run: " + command(arguments));
    return 0;
  }

  private static void say(PrintWriter out, String line) {
    out.println(line);
    out.flush();
  }

  /** Where the launcher has unpacked the WAR. */
  private Path unpackedClasses() {
    try {
      Path code =
          Path.of(InstallCommand.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      if (code.endsWith(Path.of("WEB-INF", "classes"))) {
        return code;
      }
    } catch (URISyntaxException noPath) {
      // Not what the launcher makes.
    }
    throw new ParameterException(
        spec.commandLine(), "install runs from the WAR: java -jar rmigate.war install DIR");
  }

  private void clear(Path target) throws IOException {
    if (!Files.exists(target)) {
      return;
    }
    if (!Files.isDirectory(target)) {
      throw new ParameterException(spec.commandLine(), target + " is not a directory");
    }
    try (Stream<Path> files = Files.list(target)) {
      if (files.findAny().isEmpty()) {
        return;
      }
    }
    if (!Files.exists(target.resolve(ARGUMENTS))) {
      throw new ParameterException(
          spec.commandLine(),
          target + " is not empty, and is no earlier installation; name another directory");
    }
    for (String archive : List.of(AOT_CACHE, SHARED_CLASSES)) { // of this or another JVM
      Files.deleteIfExists(target.resolve(archive));
    }
    try (Stream<Path> libraries = Files.list(target.resolve(LIBRARIES))) {
      for (Path library : libraries.toList()) {
        Files.delete(library);
      }
    }
  }

  /** Returns the class path. */
  private static String unpack(Path classes, Path libraries) throws IOException {
    List<Path> path = new ArrayList<>();
    path.add(libraries.resolve(OWN_CLASSES));
    pack(classes, path.get(0));
    for (String folder : List.of("lib", "standalone")) {
      List<Path> jars = new ArrayList<>();
      try (DirectoryStream<Path> found =
          Files.newDirectoryStream(classes.resolveSibling(folder), "*.jar")) {
        for (Path jar : found) {
          jars.add(Files.copy(jar, libraries.resolve(jar.getFileName())));
        }
      }
      jars.sort(null);
      path.addAll(jars);
    }
    return path.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
  }

  /** A JVM archives classes of jars only. */
  private static void pack(Path classes, Path jar) throws IOException {
    try (OutputStream file = Files.newOutputStream(jar);
        ZipOutputStream zip = new ZipOutputStream(file);
        Stream<Path> all = Files.walk(classes)) {
      for (Path each :
          all.filter(Files::isRegularFile).sorted(Comparator.naturalOrder()).toList()) {
        String name = classes.relativize(each).toString().replace(File.separatorChar, '/');
        zip.putNextEntry(new ZipEntry(name));
        Files.copy(each, zip);
        zip.closeEntry();
      }
    }
  }

  private static boolean hasAotCache() {
    return Runtime.version().feature() >= FIRST_WITH_AOT_CACHE;
  }

  private static Path archive(Path target) {
    return target.resolve(hasAotCache() ? AOT_CACHE : SHARED_CLASSES);
  }

  /** Returns the options of a JVM that uses the archive; none if there is no archive. */
  private List<String> archive(Path target, String classPath)
      throws IOException, InterruptedException {
    Path archive = archive(target);
    Path work = Files.createTempDirectory("rmigate-install-");
    Path log = work.resolve("log");
    try {
      ProcessBuilder training =
          new ProcessBuilder(
              Path.of(System.getProperty("java.home"), "bin", "java").toString(),
              (hasAotCache() ? "-XX:AOTCacheOutput=" : "-XX:ArchiveClassesAtExit=") + archive,
              "-cp",
              classPath,
              TrainingRun.class.getName(),
              work.toString());
      training.environment().keySet().removeIf(InstallCommand::isForeign);
      Process process = training.redirectErrorStream(true).redirectOutput(log.toFile()).start();
      process.getOutputStream().close();
      boolean ended = process.waitFor(LONGEST_TRAINING_MINUTES, TimeUnit.MINUTES);
      if (!ended) {
        process.destroyForcibly().waitFor();
      }
      if (ended && process.exitValue() == 0 && Files.exists(archive)) {
        return List.of(
            // A JVM of another version may not know the next one, and shall start all the same.
            "-XX:+IgnoreUnrecognizedVMOptions",
            (hasAotCache() ? "-XX:AOTCache=" : "-XX:SharedArchiveFile=") + archive);
      }
      PrintWriter err = spec.commandLine().getErr();
      err.println("rmigate: no archive was made; the gateway starts without one. The JVM says:");
      err.println(Files.readString(log));
      err.flush();
      return List.of();
    } finally {
      delete(work);
    }
  }

  private static boolean isForeign(String variable) {
    return FOREIGN.contains(variable) || variable.startsWith("RMIGATE_");
  }

  private static void delete(Path work) throws IOException {
    try (Stream<Path> all = Files.walk(work)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
  }

  /** A file of arguments for {@code java}; see its manual, "java Command-Line Argument Files". */
  private static String arguments(List<String> options, String classPath, Path file) {
    return Stream.of(
            Stream.of(
                "# Made by install for Java " + Runtime.version() + ". Run: " + command(file)),
            options.stream().map(InstallCommand::quoted),
            Stream.of("-cp", quoted(classPath), Standalone.class.getName()))
        .flatMap(lines -> lines)
        .collect(Collectors.joining("\n", "", "\n"));
  }

  /** For a shell. */
  private static String command(Path arguments) {
    String file = "@" + arguments;
    return "java " + (file.contains(" ") ? '"' + file + '"' : file) + " --config rmigate.yaml";
  }

  private static String quoted(String argument) {
    return '"' + argument.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
