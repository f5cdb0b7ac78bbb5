package io.rmigate.gateway.bridge.marshal;

import java.io.ObjectInputFilter;

/**
 * What may stand in one answer: classes of the publication and {@link JdkValueTypes}, within
 * limits. Asked for each class before anything of it is instantiated or initialized. Confined to
 * the thread that reads the answer.
 */
final class ReplyFilter implements ObjectInputFilter {
  static final String TOO_MUCH_IN_ALL = "more than there is room for beside other answers";

  /** The clock is read at one of 64 checks. */
  private static final int CLOCK_MASK = 0x3F;

  /** Arrays up to this have no room taken for them before they come. */
  private static final int SMALL_ARRAY_BYTES = 1024;

  private final ReplyRules rules;
  private final ReplyLimits limits;
  private long claimedBytes;
  private int checks;
  private String refusal = "";
  private String refusedClass = "";

  ReplyFilter(ReplyRules rules) {
    this.rules = rules;
    this.limits = rules.limits();
  }

  @Override
  public Status checkInput(FilterInfo info) {
    if (!isInTime()) {
      return refuse("more than can be read in time");
    }
    if (info.depth() > limits.depth()) {
      return refuse("more than " + limits.depth() + " objects within each other");
    }
    if (info.references() > limits.references()) {
      return refuse("more than " + limits.references() + " objects");
    }
    Class<?> type = info.serialClass();
    if (info.arrayLength() >= 0 && type != null) {
      long claim = info.arrayLength() * bytesOfElement(type);
      claimedBytes += claim;
      if (claimedBytes > limits.bytes()) {
        return refuse("arrays that claim more than " + limits.bytes() + " bytes");
      }
      if (claim > SMALL_ARRAY_BYTES && !rules.allowance().take(claim)) {
        return refuse(TOO_MUCH_IN_ALL);
      }
    }
    if (type == null) {
      return Status.UNDECIDED;
    }
    if (mayCome(type)) {
      return Status.ALLOWED;
    }
    if (refusal.isEmpty()) {
      refusedClass = type.getName();
    }
    return refuse("the class " + type.getName());
  }

  /** In memory. All elements of an array are there before the first of them has come. */
  private static long bytesOfElement(Class<?> array) {
    Class<?> element = array.getComponentType();
    if (element == null || !element.isPrimitive()) {
      return 4;
    }
    if (element == byte.class || element == boolean.class) {
      return 1;
    }
    if (element == short.class || element == char.class) {
      return 2;
    }
    return element == long.class || element == double.class ? 8 : 4;
  }

  private boolean mayCome(Class<?> of) {
    Class<?> type = of;
    while (type.isArray()) {
      type = type.getComponentType();
    }
    return type.isPrimitive()
        || rules.classes().contains(type)
        || ReplacedClass.of(type) != null
        || JdkValueTypes.contains(type);
  }

  /** Looks at the clock now and then. */
  boolean isInTime() {
    return (++checks & CLOCK_MASK) != 0 || System.nanoTime() - rules.deadlineNanos() < 0;
  }

  private Status refuse(String what) {
    note(what);
    return Status.REJECTED;
  }

  /** Something is refused for another reason; the first counts. */
  void note(String what) {
    if (refusal.isEmpty()) {
      refusal = what;
    }
  }

  /** Whether anything was refused. */
  boolean hasRefused() {
    return !refusal.isEmpty();
  }

  /**
   * What was refused first, to be thrown.
   *
   * @param cause may be null
   */
  AnswerRefusedException refusal(Throwable cause) {
    return new AnswerRefusedException(refusal, refusedClass, cause);
  }
}
