package io.rmigate.sample.value;

import java.io.Serializable;
import java.util.List;

/**
 * Some of many.
 *
 * @param next where the rest begins; null after the last one
 */
public record Page<T extends Serializable>(List<T> items, Integer next) implements Serializable {}
