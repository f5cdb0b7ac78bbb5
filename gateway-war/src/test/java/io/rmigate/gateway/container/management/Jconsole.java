package io.rmigate.gateway.container.management;

import java.awt.Component;
import java.awt.Container;
import java.awt.Window;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import javax.swing.AbstractButton;
import javax.swing.JLabel;
import javax.swing.JList;
import javax.swing.JTabbedPane;
import javax.swing.JTable;
import javax.swing.JTree;
import javax.swing.SwingUtilities;
import javax.swing.text.JTextComponent;
import javax.swing.tree.TreePath;

/**
 * Runs jconsole in this JVM, opens each of its tabs, and waits until it shows what it is for. Says
 * {@code filled} and the tab, or what a tab shows instead; then {@code bye}.
 *
 * <pre>
 * Jconsole SERVICE-URL WHAT-getVMOption-ANSWERS
 * </pre>
 */
final class Jconsole {
  private static final long PATIENCE_NANOS = 90_000_000_000L;
  private static final int LOOKS_EVERY_MILLIS = 100;

  private Jconsole() {}

  public static void main(String[] args) throws Exception {
    Class.forName("sun.tools.jconsole.JConsole")
        .getMethod("main", String[].class)
        .invoke(null, (Object) new String[] {"-interval=1", args[0]});
    Map<String, List<String>> wanted = new LinkedHashMap<>();
    wanted.put("Overview", List.of("CPU Usage", "Live: "));
    wanted.put("Memory", List.of("Used:", "Perform GC"));
    wanted.put("Threads", List.of("main", "RMI TCP Accept-"));
    wanted.put("Classes", List.of("Current classes loaded", "Total"));
    wanted.put("VM Summary", List.of("Virtual Machine", "VM arguments"));
    wanted.put("MBeans", List.of("com.sun.management", "jdk.management.jfr", "java.lang"));
    boolean filled = true;
    for (Map.Entry<String, List<String>> tab : wanted.entrySet()) {
      filled &= await(tab.getKey(), () -> open(tab.getKey()), tab.getValue());
    }
    filled &=
        await("HotSpotDiagnostic", () -> select("HotSpotDiagnostic"), List.of("DiagnosticOptions"));
    filled &= await("getVMOption", Jconsole::invoke, List.of(args[1]));
    filled &= await("Threads again", () -> open("Threads"), List.of("RMI TCP Accept-"));
    System.out.println(filled ? "bye" : "incomplete");
    System.out.flush();
    Runtime.getRuntime().halt(0); // jconsole has threads of its own
  }

  /** Repeats a step until all of these texts are shown, in any window. */
  private static boolean await(String name, Callable<?> step, List<String> wanted)
      throws Exception {
    long end = System.nanoTime() + PATIENCE_NANOS;
    List<String> shown = List.of();
    while (System.nanoTime() - end < 0) {
      shown =
          onEventThread(
              () -> {
                click("Insecure connection");
                step.call();
                return texts();
              });
      String all = String.join("\n", shown).replace("&nbsp;", " ");
      if (wanted.stream().allMatch(all::contains)) {
        System.out.println("filled " + name);
        return true;
      }
      Thread.sleep(LOOKS_EVERY_MILLIS);
    }
    System.out.println("shown in " + name + ": " + shown);
    return false;
  }

  private static <T> T onEventThread(Callable<T> task) throws Exception {
    FutureTask<T> future = new FutureTask<>(task);
    SwingUtilities.invokeLater(future);
    return future.get();
  }

  private static List<Component> components() {
    List<Component> all = new ArrayList<>();
    for (Window window : Window.getWindows()) {
      if (window.isShowing()) {
        add(window, all);
      }
    }
    return all;
  }

  private static void add(Component component, List<Component> all) {
    all.add(component);
    if (component instanceof Container container) {
      for (Component each : container.getComponents()) {
        add(each, all);
      }
    }
  }

  private static <T> List<T> all(Class<T> type) {
    return components().stream().filter(type::isInstance).map(type::cast).toList();
  }

  private static List<String> texts() {
    List<String> texts = new ArrayList<>();
    for (Component component : components()) {
      if (!component.isShowing()) {
        continue;
      }
      if (component instanceof JLabel label) {
        texts.add(String.valueOf(label.getText()));
      } else if (component instanceof AbstractButton button) {
        texts.add(String.valueOf(button.getText()));
      } else if (component instanceof JTextComponent text) {
        texts.add(text.getText());
      } else if (component instanceof JList<?> list) {
        texts.addAll(cells(list));
      } else if (component instanceof JTree tree) {
        for (int i = 0; i < tree.getRowCount(); i++) {
          texts.add(String.valueOf(tree.getPathForRow(i).getLastPathComponent()));
        }
      } else if (component instanceof JTable table) {
        for (int row = 0; row < table.getRowCount(); row++) {
          for (int column = 0; column < table.getColumnCount(); column++) {
            texts.add(String.valueOf(table.getValueAt(row, column)));
          }
        }
      }
    }
    return texts;
  }

  /** As they are painted: jconsole's list of threads holds numbers. */
  private static <E> List<String> cells(JList<E> list) {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < list.getModel().getSize(); i++) {
      E element = list.getModel().getElementAt(i);
      if (list.getCellRenderer().getListCellRendererComponent(list, element, i, false, false)
          instanceof JLabel label) {
        texts.add(label.getText());
      }
    }
    return texts;
  }

  private static boolean click(String label) {
    for (AbstractButton button : all(AbstractButton.class)) {
      if (button.isShowing() && label.equals(button.getText())) {
        button.doClick(0);
        return true;
      }
    }
    return false;
  }

  private static Void open(String title) {
    for (JTabbedPane tabs : all(JTabbedPane.class)) {
      int index = tabs.indexOfTab(title);
      if (index >= 0 && tabs.getSelectedIndex() != index) {
        tabs.setSelectedIndex(index);
      }
    }
    return null;
  }

  /** Opens the tree down to the node with that text, and chooses it. */
  private static Void select(String node) {
    for (JTree tree : all(JTree.class)) {
      for (int i = 0; i < tree.getRowCount(); i++) {
        TreePath path = tree.getPathForRow(i);
        String text = String.valueOf(path.getLastPathComponent());
        if (text.equals(node) || text.equals("com.sun.management") || text.equals("Operations")) {
          tree.expandPath(path);
        }
        if (text.equals("Attributes") && String.valueOf(path).contains(node)) {
          tree.setSelectionPath(path);
        }
      }
    }
    return null;
  }

  private static boolean invoked;

  /** Has jconsole call an operation that needs a grant. */
  private static Void invoke() {
    for (JTree tree : all(JTree.class)) {
      for (int i = 0; i < tree.getRowCount(); i++) {
        TreePath path = tree.getPathForRow(i);
        String whole = String.valueOf(path);
        if (whole.contains("HotSpotDiagnostic") && whole.contains("Operations")) {
          tree.expandPath(path);
          if (String.valueOf(path.getLastPathComponent()).contains("getVMOption")) {
            tree.setSelectionPath(path);
          }
        }
      }
    }
    if (!invoked) {
      SwingUtilities.invokeLater(() -> click("getVMOption")); // its dialog waits for an answer
      invoked = all(AbstractButton.class).stream().anyMatch(b -> "getVMOption".equals(b.getText()));
    }
    return null;
  }
}
