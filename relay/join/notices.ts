import type { JoinLanguage } from '#relay/join/language';
import { noticePage } from '#relay/join/pages/end-page';
import { fill, type Page } from '#relay/join/pages/layout';
import type { SignInFault } from '#relay/join/sign-in';
import type { JoinTexts } from '#relay/join/texts/en';

const notice =
  (title: keyof JoinTexts, text: keyof JoinTexts) =>
  (language: JoinLanguage): Page =>
    noticePage(language, language.texts[title], language.texts[text]);

/** Holds the pages that say why it does not go on. */
export const pages = {
  badLink: notice('badLink', 'again'),
  tooMany: notice('tooMany', 'tooManyText'),
  unknownJoin: notice('unknownJoin', 'unknownJoinText'),
  noStore: notice('noStore', 'noStoreText'),
  otherOrigin: (language: JoinLanguage, origin: string): Page =>
    noticePage(
      language,
      language.texts.otherOrigin,
      fill(language.texts.otherOriginText, { origin }),
    ),
};

/** Returns what a failed sign-in is called. */
export function describeSignInFault(texts: JoinTexts, fault: SignInFault): string {
  switch (fault.kind) {
    case 'provider-unreachable':
      return texts.providerUnreachable;
    case 'refused':
      return texts.refused;
    case 'not-believed':
      return texts.notBelieved;
    case 'no-email':
      return texts.noEmail;
    case 'email-unverified':
      return fill(texts.emailUnverified, { email: fault.email });
  }
}
