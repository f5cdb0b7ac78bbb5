package io.rmigate.gateway.container.ordinary.api;

import java.io.Serializable;
import java.math.BigDecimal;
import java.util.Currency;

/** An amount. */
public record Money(BigDecimal amount, Currency currency) implements Serializable {}
