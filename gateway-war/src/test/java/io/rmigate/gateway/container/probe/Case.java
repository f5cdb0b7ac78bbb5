package io.rmigate.gateway.container.probe;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Marks a method that proves one rule, which is its name. It passes by returning. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@interface Case {

  /** Where it runs; by default everywhere. */
  Way[] on() default {Way.PLAIN_RMI, Way.TUNNEL, Way.TUNNEL_OVER_TLS, Way.SIDECAR};
}
