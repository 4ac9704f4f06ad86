export { inlineMarkdown, inlineText, isolated, withoutIsolates } from '#core/text/inline-text';
export { directionOf, findLanguage, translatedLanguages } from '#core/text/language';
export { plainText } from '#core/text/plain-text';
export { type Catalogue, keysOf, textsOf } from '#core/text/translation';
export { visibleLines, visibleText } from '#core/text/visible-text';
