package io.rmigate.gateway.container.ordinary;

import io.rmigate.gateway.container.ordinary.api.OldShop;
import io.rmigate.gateway.container.ordinary.api.Tag;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashMap;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.Vector;

/** Interfaces from before generics. */
@SuppressWarnings({"JdkObsolete", "JavaUtilDate", "rawtypes"})
final class OldShopKinds {
  private OldShopKinds() {}

  static void addTo(Kinds kinds) throws Exception {
    OldShop shop = kinds.service(OldShop.class);
    kinds.add(
        "raw vector",
        () -> shop.vector(new Vector<>(List.of(ShopKinds.customer("Ann"), ShopKinds.euros("1")))));
    kinds.add(
        "raw hash table", () -> shop.hashtable(new Hashtable<>(Map.of("a", ShopKinds.euros("1")))));
    kinds.add("raw list", () -> shop.list(new ArrayList<>(List.of(ShopKinds.customer("Ann")))));
    kinds.add("raw map", () -> shop.map(new HashMap<>(Map.of(1, ShopKinds.customer("Ann")))));
    kinds.add("object of the JDK", () -> shop.object(new Date(0)));
    kinds.add("object of the application", () -> shop.object(ShopKinds.customer("Ann")));
    kinds.add("array as an object", () -> shop.object(new Object[] {ShopKinds.euros("1"), 2, "x"}));
    kinds.add("serializable of the application", () -> shop.serializable(ShopKinds.euros("2")));
    kinds.add("externalizable as an object", () -> shop.object(new Tag("free", 1)));
    kinds.add("row of objects", () -> shop.row(new Object[] {1, "a", ShopKinds.customer("Bob")}));
  }
}
