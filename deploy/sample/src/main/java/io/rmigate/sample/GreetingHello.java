package io.rmigate.sample;

/** Greets. */
final class GreetingHello implements Hello {
  @Override
  public String hello(String who) {
    return "Hello, " + who + "!";
  }
}
