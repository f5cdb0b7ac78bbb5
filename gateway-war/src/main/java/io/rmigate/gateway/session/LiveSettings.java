package io.rmigate.gateway.session;

import io.rmigate.gateway.grant.GrantSeal;
import io.rmigate.gateway.lookup.LookupSettings;
import io.rmigate.gateway.route.TargetPolicy;
import java.util.function.Supplier;

/**
 * What sessions ask again and again, because a reload changes it.
 *
 * @param lookups what agents may hold of registries
 * @param policy asked at every request: a reload shows at once
 * @param compression asked when a session is opened
 * @param grants seals what sessions learn
 */
public record LiveSettings(
    Supplier<LookupSettings> lookups,
    Supplier<TargetPolicy> policy,
    Supplier<CompressionPolicy> compression,
    GrantSeal grants) {}
