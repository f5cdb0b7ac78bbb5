package io.rmigate.java8;

import java.net.URL;
import java.net.URLClassLoader;

/** A class loader made by the constructor that Java 9 added, without its name. */
public final class LaterURLClassLoader extends URLClassLoader {
  public LaterURLClassLoader(String name, URL[] urls, ClassLoader parent) {
    super(urls, parent);
  }
}
