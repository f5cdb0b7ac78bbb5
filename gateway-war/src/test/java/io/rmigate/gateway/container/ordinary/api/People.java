package io.rmigate.gateway.container.ordinary.api;

/** The entities are persons. */
public interface People extends Repository<Person, Integer> {}
