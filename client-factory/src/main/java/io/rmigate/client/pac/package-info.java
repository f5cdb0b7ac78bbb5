/**
 * PAC files: the scripts with which companies tell browsers which HTTP proxy leads where. There is
 * no JavaScript engine in the JDK since 15 and no dependency here, so this is an evaluator for the
 * part of the language that such files are written in.
 *
 * <pre>
 * script     = { "function" name "(" [ name { "," name } ] ")" block | statement }
 * statement  = block | ";" | expression | ("var" | "let" | "const") name [ "=" expression ] { "," … }
 *            | "if" "(" expression ")" statement [ "else" statement ] | "return" [ expression ]
 *            | "for" "(" … ";" … ";" … ")" statement | "for" "(" [ "var" ] name ("in" | "of") expression ")" statement
 *            | "while" "(" expression ")" statement | "do" statement "while" "(" expression ")"
 *            | "switch" "(" expression ")" "{" { "case" expression ":" | "default" ":" | statement } "}"
 *            | "break" | "continue"
 * expression = conditional | place ("=" | "+=" | "-=") expression
 * conditional: ?:  ||  &amp;&amp;  |  ^  &amp;  == != === !==  &lt; &gt; &lt;= &gt;= in  &lt;&lt; &gt;&gt; &gt;&gt;&gt;  + -  * / %  ! - + ~ typeof  ++ --  call . []
 * literals   : numbers, strings, true, false, null, undefined, arrays, objects, /regular expressions/, new RegExp(…)
 * </pre>
 *
 * A semicolon may be left out at the end of a line. Functions stand at the top, not within others;
 * all variables of a function are visible in the whole of it. Strings, arrays and regular
 * expressions have the methods that {@code BuiltInMethods} lists; the functions of PAC files are in
 * {@code PacFunctions}. Everything else (closures, prototypes, exceptions, {@code eval}) is
 * refused, with the line it stands in: half of a script would answer wrongly rather than not at
 * all.
 *
 * <p>The script is foreign code: steps, time, nesting, lengths and look-ups are bounded ({@code
 * Budget}), it can ask for names and the time ({@link io.rmigate.client.pac.PacNetwork}) and do
 * nothing else. Imports the JDK and {@link io.rmigate.protocol.AddressLiteral}, opens nothing,
 * keeps no thread; an evaluation is confined to its thread, a {@link
 * io.rmigate.client.pac.PacScript} may be shared.
 */
package io.rmigate.client.pac;
