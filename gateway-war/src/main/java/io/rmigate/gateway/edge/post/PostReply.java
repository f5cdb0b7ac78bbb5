package io.rmigate.gateway.edge.post;

/** Where a request waits for its answer; takes one, from any thread, without blocking. */
interface PostReply {

  /** Answers it. */
  void answer(byte[] body);

  /** Answers that there will be no answer. */
  void refuse(PostRefusal reason);
}
