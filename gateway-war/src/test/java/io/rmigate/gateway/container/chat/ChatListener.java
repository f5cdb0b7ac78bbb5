package io.rmigate.gateway.container.chat;

import java.rmi.Remote;
import java.rmi.RemoteException;

/** A client, as the room calls it. */
public interface ChatListener extends Remote {
  /** A member has said {@code text}. */
  void heard(String from, String text) throws RemoteException;

  /** Has the room nest once less. */
  int nest(ChatRoom room, int depth) throws RemoteException;
}
