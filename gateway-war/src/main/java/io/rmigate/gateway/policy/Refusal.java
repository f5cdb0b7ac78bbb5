package io.rmigate.gateway.policy;

import java.util.concurrent.ThreadLocalRandom;

/**
 * A refusal, under the number by which its client's exception, the log and the audit name it.
 *
 * @param number six characters, none of which looks like another one
 * @param reason what was refused, in one line
 * @param advice what would allow it, in one line; empty where nothing is to be said of that
 * @param place where in the message it stood, such as {@code argument 1: Order.lines[3].price};
 *     empty where that is not known, or it stood at no place
 */
public record Refusal(String number, String reason, String advice, String place) {
  private static final String CHARACTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
  private static final int LENGTH = 6;

  /** A refusal without a place in the message. */
  public Refusal(String number, String reason, String advice) {
    this(number, reason, advice, "");
  }

  /** A refusal with a new random number. */
  public static Refusal of(String reason, String advice) {
    StringBuilder number = new StringBuilder(LENGTH);
    for (int i = 0; i < LENGTH; i++) {
      number.append(CHARACTERS.charAt(ThreadLocalRandom.current().nextInt(CHARACTERS.length())));
    }
    return new Refusal(number.toString(), reason, advice);
  }

  /** A refusal about which the log says no more than the client is told. */
  public static Refusal of(String reason) {
    return of(reason, "");
  }

  /** Whether a text has the form of a number of a refusal. */
  public static boolean isNumber(String text) {
    return text.length() == LENGTH && text.chars().allMatch(c -> CHARACTERS.indexOf(c) >= 0);
  }

  /** This refusal with the place in the message. */
  public Refusal at(String itsPlace) {
    return new Refusal(number, reason, advice, itsPlace);
  }

  /** The reason of the refusal, the place in the message, and the advice. */
  public String explanation() {
    String where = place.isEmpty() ? reason : reason + " in " + place;
    return advice.isEmpty() ? where : where + "; " + advice;
  }

  /**
   * For the client.
   *
   * @param text what any client is told
   * @param explained whether this one is told the reason
   */
  public String told(String text, boolean explained) {
    String numbered = text + " [refusal " + number + "]";
    return explained && !reason.equals(text) ? numbered + ": " + explanation() : numbered;
  }
}
