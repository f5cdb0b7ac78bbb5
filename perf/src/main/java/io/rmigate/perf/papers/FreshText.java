package io.rmigate.perf.papers;

import java.util.Random;

/**
 * Texts that deflate about 3:1 and have nothing in common but their syllables and, as far as there
 * is any, their markup: each seed makes up its own words, so that what was sent before is no help
 * to a compression that remembers it. The same seed and length make the same text. ASCII only.
 */
final class FreshText {
  private static final String CONSONANTS = "bcdfghklmnprstv";
  private static final String VOWELS = "aeiou";

  /** A sentence's mean length in words. */
  private static final int SENTENCE = 9;

  /** A paragraph's length in words. */
  private static final int PARAGRAPH = 40;

  private final Random random;
  private final String[] words;

  private FreshText(long seed, int vocabulary) {
    random = new Random(seed);
    words = new String[vocabulary];
    for (int i = 0; i < vocabulary; i++) {
      words[i] = invent();
    }
  }

  /** Words and full stops. */
  static String plain(int length, long seed) {
    FreshText text = new FreshText(seed, 55 + length / 56); // found by trying: 3:1
    StringBuilder written = new StringBuilder();
    while (written.length() < length) {
      text.write(written, 1);
    }
    written.setLength(length);
    return written.toString();
  }

  /** A page with headings, paragraphs and links; at least some 500 characters. */
  static String html(int length, long seed) {
    FreshText text = new FreshText(seed, 90 + length / 40); // as many as for a text of words
    StringBuilder page = new StringBuilder("<html><head><title>");
    text.write(page, 3);
    page.append("</title></head><body>\n");
    String end = "</p>\n</body></html>\n";
    while (true) {
      StringBuilder section = new StringBuilder("<h2>");
      text.write(section, 2);
      section.append("</h2>\n<p>");
      text.write(section, PARAGRAPH);
      section.append("<a href=\"").append(text.word()).append(".html\">").append(text.word());
      section.append("</a></p>\n");
      if (page.length() + section.length() + "<p>".length() + end.length() > length) {
        break;
      }
      page.append(section);
    }
    page.append("<p>");
    while (page.length() + end.length() < length) {
      text.write(page, 1);
    }
    page.setLength(length - end.length());
    return page.append(end).toString();
  }

  private void write(StringBuilder to, int count) {
    for (int i = 0; i < count; i++) {
      to.append(word()).append(random.nextInt(SENTENCE) == 0 ? ". " : " ");
    }
  }

  /** Some are more frequent than others. */
  private String word() {
    double share = random.nextDouble();
    return words[(int) (words.length * share * share)];
  }

  private String invent() {
    StringBuilder word = new StringBuilder();
    for (int syllables = 2 + random.nextInt(3); syllables > 0; syllables--) {
      word.append(CONSONANTS.charAt(random.nextInt(CONSONANTS.length())));
      word.append(VOWELS.charAt(random.nextInt(VOWELS.length())));
    }
    return word.toString();
  }
}
