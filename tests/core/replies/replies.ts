import { createFormats } from '#components/formats';
import { composeReply, type ReplyCatalogue, type ReplyStyle } from '#core/replies/compose-reply';
import type { ReplyFacts } from '#core/replies/reply-facts';
import { readReplies, replyLanguages } from '#scripts/translations/texts';

/** Lists every language of replies with its texts. */
export const catalogues = replyLanguages().map(
  (language) => [language, readReplies(language)] as const,
);

export function styleOf(language: string, catalogue: ReplyCatalogue): ReplyStyle {
  const { relative } = createFormats(language, 'UTC');
  return { catalogue, frame: catalogue, format: 'plain', locale: language, relative };
}

/** Returns the reply of each built-in template that fits, as copied but for the marks that break links. */
export function repliesTo(facts: ReplyFacts, style: ReplyStyle): string[] {
  return style.catalogue.templates
    .filter(({ situation }) => situation === facts.situation)
    .map((template) => composeReply(facts, template, style).replaceAll('\u200C', ''));
}

export function sentencesOf(text: string, language: string): string[] {
  const segmenter = new Intl.Segmenter(language, { granularity: 'sentence' });
  return [...segmenter.segment(text)]
    .map(({ segment }) => segment.trim())
    .filter((sentence) => sentence !== '');
}
