package io.rmigate.gateway.legacy;

/**
 * Where a request waits for its answer. Taken from any thread; nothing blocks. Either {@link
 * #whole}, {@link #refuse}, or {@link #begin}, any number of {@link #write} and {@link #end}.
 */
public interface LegacyAnswer {

  /**
   * Sends the head of the answer.
   *
   * <p>A request whose answer has begun is never sent again: {@code HttpURLConnection}, which old
   * clients use, repeats a POST by itself when its connection ends before the first byte of an
   * answer ({@code sun.net.http.retryPost}). So a Call goes to its server only behind this.
   *
   * @param then once the head has been given to the network; perhaps from within. Not run when the
   *     client has gone
   */
  void begin(Runnable then);

  /**
   * More of the answer.
   *
   * @param taken once more can be taken; perhaps from within
   */
  void write(byte[] bytes, Runnable taken);

  /** The answer is over. What JRMP lacks of it the client will miss by itself. */
  void end();

  /** All of it. */
  void whole(byte[] bytes);

  /** Instead of an answer. */
  void refuse(LegacyRefusal reason);

  /**
   * Sets a listener that runs once, on any thread, if the client goes before the end of the answer.
   * Called before {@link #begin}.
   */
  void whenGone(Runnable told);
}
