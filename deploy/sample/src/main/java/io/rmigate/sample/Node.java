package io.rmigate.sample;

import java.io.Serializable;

/**
 * A node of any graph: trees, shared nodes, cycles. Equality is identity, so that a test of a copy
 * must compare shapes.
 */
public final class Node implements Serializable {
  private static final long serialVersionUID = 1L;

  private final int value;
  private Node left;
  private Node right;

  /** A node without neighbours. */
  public Node(int value) {
    this.value = value;
  }

  /** A balanced binary tree of {@code depth} levels, numbered from the root, which is 1. */
  public static Node tree(int depth) {
    return tree(depth, 1);
  }

  private static Node tree(int depth, int value) {
    return depth == 0
        ? null
        : new Node(value).join(tree(depth - 1, 2 * value), tree(depth - 1, 2 * value + 1));
  }

  /** Sets both neighbours; either may be null, this node itself, or one that leads back to it. */
  public Node join(Node left, Node right) {
    this.left = left;
    this.right = right;
    return this;
  }

  public int value() {
    return value;
  }

  /** May be null. */
  public Node left() {
    return left;
  }

  /** May be null. */
  public Node right() {
    return right;
  }
}
