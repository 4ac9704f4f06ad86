import { noticePage } from '#relay/join/pages/end-page';
import type { Page } from '#relay/join/pages/layout';
import type { SignInFault } from '#relay/join/sign-in';

const again = 'Begin again in Counterfoil: Settings, Team.';

/** Holds what the join pages say when it does not go on. */
export const pages = {
  badLink: noticePage('This link is not complete', again),
  tooMany: noticePage(
    'Too many people are joining at this moment',
    'Wait ten minutes, then begin again in Counterfoil.',
  ),
  unknownJoin: noticePage(
    'There is nothing to go on with here',
    `It took too long, ended already, or was begun in another browser or tab. ${again}`,
  ),
  noStore: noticePage(
    'The relay cannot reach its database',
    'Nothing is wrong with your account. Reload this page in a moment.',
  ),
  otherOrigin: (origin: string): Page =>
    noticePage('This form came from another address', `The relay’s address is ${origin}. ${again}`),
  inviteUnknown:
    'This invite was used, has expired, or is not complete. Ask your administrator for a new one.',
  noAgent: (email: string): string =>
    `${email} is not on this team’s list of agents. Ask your administrator to add this address, or sign in with another account.`,
  signInFailed: (fault: SignInFault): string => {
    switch (fault.kind) {
      case 'provider-unreachable':
        return 'The sign-in service does not answer. Try again in a moment.';
      case 'refused':
        return 'The sign-in service did not let you in, or you stopped there. You can try again.';
      case 'not-believed':
        return 'The answer of the sign-in service does not belong to this sign-in. Try again.';
      case 'no-email':
        return 'The sign-in service did not tell your e-mail address, which the relay needs to know who you are.';
      case 'email-unverified':
        return `The sign-in service has not confirmed that ${fault.email} is yours. Confirm the address there, then sign in again.`;
    }
  },
};
