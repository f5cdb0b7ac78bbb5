/**
 * The rules of calls. Each rule is one class: its keys, what several entries mean together, what it
 * refuses and advises, and the lines that are learned. {@link
 * io.rmigate.gateway.policy.rule.RuleTypes} lists all rules.
 *
 * <p>What all rules share stands here, too: the keys and settings that they read ({@code RuleKey},
 * {@code EntryRules}, {@code ClassSettings}, {@code Combination}), what they answer ({@code
 * Objection}), and what mode {@code learn} notes and writes ({@code LearnedNotes}, {@code
 * LearnedRules}). Imports nothing of {@code policy} itself, which asks the rules.
 */
package io.rmigate.gateway.policy.rule;
