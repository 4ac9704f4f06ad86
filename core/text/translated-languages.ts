/** Lists the languages of the interface beside English. One stands here once each of its files in `locales/` is whole. */
export const translatedLanguages: readonly string[] = [
  'ar',
  'de',
  'es',
  'fr',
  'hi',
  'id',
  'ja',
  'pt-BR',
  'tr',
  'vi',
  'zh-CN',
];
