package io.rmigate.gateway.services;

import io.rmigate.gateway.bridge.BridgeVisit;
import io.rmigate.gateway.bridge.HeldReference;
import io.rmigate.gateway.login.Principal;
import io.rmigate.soap.call.CallFailure;
import io.rmigate.soap.call.RemoteReferences;
import io.rmigate.soap.publish.Contract;
import io.rmigate.soap.publish.Publication;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The references that one request receives and returns. Handles that the request uses are held
 * until its end. New handles are released if the client does not receive them. Confined to the
 * request's thread.
 */
final class CallReferences implements RemoteReferences {
  private static final int MAX_HREF_CHARS = 2_000;

  private final Services services;
  private final HandleTable table;
  private final Principal principal;
  private final PublishedObject object;
  private final Publication publication;
  private final BridgeVisit visit;
  private final Supplier<String> address;
  private final Consumer<CallFailure> unheld;
  private final List<HandleTable.Use> used = new ArrayList<>();
  private final List<String> given = new ArrayList<>();

  /**
   * @param address of the published object as the client reaches it
   * @param unheld hears of a reference that is not kept
   */
  CallReferences(
      Services services,
      Principal principal,
      PublishedObject object,
      Publication publication,
      BridgeVisit visit,
      Supplier<String> address,
      Consumer<CallFailure> unheld) {
    this.services = services;
    this.table = services.handles();
    this.principal = principal;
    this.object = object;
    this.publication = publication;
    this.visit = visit;
    this.address = address;
    this.unheld = unheld;
  }

  @Override
  public Handle hold(Object reference, Class<?> type) throws CallFailure {
    Contract contract =
        publication.contract(type).orElseThrow(() -> new IllegalArgumentException(type.getName()));
    HeldReference kept = visit.keep(reference);
    Optional<HandleTable.Use> added = table.add(principal, object, type.getName(), kept);
    if (added.isEmpty()) {
      kept.close();
      throw notHeld(CallFailure.Kind.TOO_MANY, principal + " has, or all have, too many handles");
    }
    try (HandleTable.Use handle = added.get()) {
      if (!services.hasRight(principal, object)) {
        // Taken away while the call was under way.
        table.release(handle.id(), principal);
        throw notHeld(CallFailure.Kind.NOT_PERMITTED, object.path() + " is no longer published");
      }
      given.add(handle.id());
      return new Handle(
          address.get() + "/" + contract.name() + "/" + handle.id(), handle.expires());
    }
  }

  private CallFailure notHeld(CallFailure.Kind kind, String why) {
    CallFailure failure = new CallFailure(kind, why, null);
    unheld.accept(failure);
    return failure;
  }

  @Override
  public void withdraw() {
    given.forEach(id -> table.release(id, principal));
    given.clear();
  }

  @Override
  public Optional<Object> resolve(String href, Class<?> type) {
    Optional<HandleTable.Use> found = find(href);
    // Kept until the end: the server must have the argument before it is let go.
    found.ifPresent(used::add);
    return found.flatMap(handle -> visit.argument(handle.reference(), type));
  }

  @Override
  public Optional<Handle> renew(String href) {
    return found(href)
        .flatMap(id -> table.renew(id, principal))
        .map(expires -> new Handle(href, expires));
  }

  @Override
  public boolean release(String href) {
    return found(href).filter(id -> table.release(id, principal)).isPresent();
  }

  private Optional<String> found(String href) {
    Optional<HandleTable.Use> found = find(href);
    found.ifPresent(HandleTable.Use::close);
    return found.map(HandleTable.Use::id);
  }

  /** The handle of this principal at an address. The host in the address is ignored. */
  private Optional<HandleTable.Use> find(String href) {
    String address = href.endsWith("/") ? href.substring(0, href.length() - 1) : href;
    int id = address.lastIndexOf('/');
    int contract = address.lastIndexOf('/', id - 1);
    if (href.length() > MAX_HREF_CHARS || contract < 0) {
      return Optional.empty();
    }
    Optional<HandleTable.Use> found = table.find(address.substring(id + 1), principal);
    if (found.isPresent()) {
      boolean there =
          address.substring(0, contract).endsWith("/services/" + found.get().path())
              && services.place(found.get().path(), principal).isPresent();
      if (!there) {
        found.get().close();
        return Optional.empty();
      }
    }
    return found;
  }

  /**
   * The request is over.
   *
   * @param told whether its client has got the answer
   */
  void end(boolean told) {
    used.forEach(HandleTable.Use::close);
    if (!told) {
      withdraw();
    }
  }
}
