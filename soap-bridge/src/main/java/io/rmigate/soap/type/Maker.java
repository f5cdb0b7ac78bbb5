package io.rmigate.soap.type;

/** Makes an empty instance of a class; where the class is published, code of it runs. */
@FunctionalInterface
public interface Maker<T> {
  T make() throws ConstructionException;
}
