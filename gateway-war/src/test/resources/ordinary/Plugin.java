package plugin;

import io.rmigate.gateway.container.ordinary.api.Item;
import java.rmi.Remote;
import java.rmi.RemoteException;

/** An item in a jar that programs load themselves. */
public class Plugin implements Item {
  private static final long serialVersionUID = 1;

  private final String label;
  private final Size size = new Size(2, 3);

  public Plugin(String label) {
    this.label = label;
  }

  @Override
  public String label() {
    return label + " " + size.width + "x" + size.height;
  }

  @Override
  public String toString() {
    return described();
  }

  static final class Size implements java.io.Serializable {
    private static final long serialVersionUID = 1;

    final int width;
    final int height;

    Size(int width, int height) {
      this.width = width;
      this.height = height;
    }
  }
}

/** An item with identifiers of other languages. */
class Größe implements Item {
  private static final long serialVersionUID = 1;

  final int höhe;
  final 単位 einheit = 単位.メートル;

  Größe(int höhe) {
    this.höhe = höhe;
  }

  @Override
  public String label() {
    return "größe " + höhe + " " + einheit;
  }

  @Override
  public String toString() {
    return described();
  }
}

enum 単位 {
  メートル
}

/** A remote interface of such a kind. */
interface Wählscheibe extends Remote {
  String wähle(String größe) throws RemoteException;

  Größe größe(Größe größe) throws RemoteException;
}
