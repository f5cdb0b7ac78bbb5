package io.rmigate.gateway.lease;

import io.rmigate.protocol.jrmp.ObjIdentifier;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The objects of one session at one server, sorted by what is to be done about them. Guarded by the
 * session's lock.
 */
final class HeldObjects {

  /** Ids of one call. The JDK's filter takes 10 000; this keeps calls short for servers. */
  static final int MAX_BATCH = 1000;

  private final Map<ObjIdentifier, HeldObject> all = new HashMap<>();
  private final Set<HeldObject> toDirty = new LinkedHashSet<>();
  private final Set<HeldObject> toClean = new LinkedHashSet<>();
  private final Runnable onForgotten;
  private int wanted;

  /**
   * @param onForgotten one object is not kept any more
   */
  HeldObjects(Runnable onForgotten) {
    this.onForgotten = onForgotten;
  }

  boolean knows(ObjIdentifier id) {
    return all.containsKey(id);
  }

  boolean isEmpty() {
    return all.isEmpty();
  }

  /** Whether the agent holds any. */
  boolean anyWanted() {
    return wanted > 0;
  }

  boolean dirtyWaits() {
    return !toDirty.isEmpty();
  }

  boolean cleanWaits() {
    return !toClean.isEmpty();
  }

  /** Objects that wait for a call. */
  int waiting() {
    return toDirty.size() + toClean.size();
  }

  int count(HeldObject.Known known) {
    return (int) all.values().stream().filter(object -> object.known() == known).count();
  }

  /**
   * The agent holds it. To be put in its place afterwards.
   *
   * @return it, if a dirty has to come first; else null
   */
  HeldObject want(ObjIdentifier id, boolean leaseMayBeOver) {
    HeldObject object = all.computeIfAbsent(id, HeldObject::new);
    wanted += object.isWanted() ? 0 : 1;
    boolean first = object.want(leaseMayBeOver);
    place(object);
    return first ? object : null;
  }

  /** The agent does not hold it any more. */
  void drop(ObjIdentifier id) {
    HeldObject object = all.get(id);
    if (object != null && object.isWanted()) {
      object.drop();
      wanted--;
      place(object);
    }
  }

  /** The agent holds nothing any more. */
  void dropAll() {
    List.copyOf(all.keySet()).forEach(this::drop);
  }

  /** Each lease that the server has granted may have ended. */
  void doubtAll() {
    for (HeldObject object : all.values()) {
      if (object.known() == HeldObject.Known.HELD) {
        object.doubt();
        place(object); // to be called for, never to be forgotten
      }
    }
  }

  /** Forgets objects that wait for a clean: their leases end at the server. */
  void leaveToTheLease() {
    for (HeldObject object : List.copyOf(toClean)) {
      object.leaveToTheLease();
      place(object);
    }
  }

  /** The objects of the next call, which begins. */
  List<HeldObject> begin(LeaseCall.Kind kind) {
    List<HeldObject> batch;
    if (kind == LeaseCall.Kind.DIRTY) {
      batch = toDirty.stream().limit(MAX_BATCH).toList();
    } else {
      boolean strong = toClean.iterator().next().needsStrongClean();
      batch =
          toClean.stream()
              .filter(object -> object.needsStrongClean() == strong)
              .limit(MAX_BATCH)
              .toList();
    }
    for (HeldObject object : batch) {
      object.begin(kind);
      place(object);
    }
    return batch;
  }

  /** Any that is held or wanted here. */
  ObjIdentifier any() {
    return all.keySet().iterator().next();
  }

  /** Sorts an object in anew whose state has changed. */
  void place(HeldObject object) {
    toDirty.remove(object);
    toClean.remove(object);
    switch (object.next()) {
      case DIRTY -> toDirty.add(object);
      case CLEAN -> toClean.add(object);
      case NOTHING -> {}
      case FORGET -> {
        if (all.remove(object.id) != null) {
          onForgotten.run();
        }
      }
    }
  }

  /** Forgets all objects, and the dirty and clean calls that were due for them. */
  void clear() {
    all.keySet().forEach(id -> onForgotten.run());
    all.clear();
    toDirty.clear();
    toClean.clear();
    wanted = 0;
  }
}
