package io.rmigate.gateway.container.chat;

import java.rmi.Remote;
import java.rmi.RemoteException;

/** Where clients meet. */
public interface ChatRoom extends Remote {
  /** The name it is bound under. */
  String NAME = "room";

  /** Joins, or joins again with another listener. */
  void join(String who, ChatListener listener) throws RemoteException;

  /** Leaves; what is not there has left already. */
  void leave(String who) throws RemoteException;

  /**
   * Says something to everybody else. Who cannot be reached has left.
   *
   * @return how many have heard it
   */
  int say(String who, String text) throws RemoteException;

  /** Has the listener of that name called once before it answers. */
  void greet(String who) throws RemoteException;

  /** The listener that has joined under that name; null if none has. */
  ChatListener listener(String who) throws RemoteException;

  /**
   * Calls the listener, which calls the room, and so on.
   *
   * @param depth calls still to be made
   * @return how many were made
   */
  int nest(ChatListener via, int depth) throws RemoteException;
}
