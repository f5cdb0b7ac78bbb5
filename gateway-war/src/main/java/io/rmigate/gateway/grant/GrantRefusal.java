package io.rmigate.gateway.grant;

/** Why a grant that an agent has shown counts for nothing. */
public enum GrantRefusal {
  /** Sealed with a key that this gateway does not have (any more). */
  UNKNOWN_KEY(
      "grant-key",
      "it was sealed with a key that this gateway does not have; gateways of one agent need a common"
          + " grants.key-file, and one gateway its state directory"),
  /** Changed, or given to another principal. */
  FORGED("grant-forged", "it was changed, or given to another principal"),
  /** The grant has expired. */
  EXPIRED("grant-expired", "its time is over (grants.lifetime)"),
  /** Policy no longer allows lookups in the registry from which the grant was learnt. */
  NOT_PERMITTED(
      "grant-policy", "policy does not allow lookups in the registry that it was learnt from"),
  /** More grants or objects than any honest agent shows. */
  TOO_MANY(
      "grant-limit",
      "too many of them in one session, or of objects in all sessions of the principal");

  private final String word;
  private final String sentence;

  GrantRefusal(String word, String sentence) {
    this.word = word;
    this.sentence = sentence;
  }

  /** The word for counters. */
  public String word() {
    return word;
  }

  /** The sentence for logs. */
  public String sentence() {
    return sentence;
  }
}
