/**
 * Holds what the join pages say. `{name}` stands for a value; every language has the same keys and the same values in
 * each.
 */
export const en = {
  join: 'Join {team}',
  withAccount: 'With your account',
  signInAt: 'You sign in at {provider} and come back here.',
  signIn: 'Sign in',
  withInvite: 'With an invite',
  orWithInvite: 'Or with an invite',
  inviteLink: 'Invite link',
  inviteHint: 'Your administrator sent it to you. It holds for a day and works once.',
  useInvite: 'Use invite',

  beginThere:
    'Joining begins in Counterfoil: open its settings, and paste this link under {section}.',
  section: 'Team',
  link: 'Link',
  linkHint: 'If it holds an invite, keep it to yourself: it works once, for you.',

  joinQuestion: 'Join {team}?',
  youAre: 'You are',
  role: 'Role',
  ableTo: 'Counterfoil in this browser will be able to',
  check: 'check purchase codes and read items',
  checkOf: 'check purchase codes and read items of {connections}',
  see: 'see the account’s {fields}',
  notSee: 'not see the account’s {fields}',
  balance: 'balance',
  email: 'e-mail address',
  profile: 'profile',
  report: 'see what the team has checked in a month',
  recorded:
    'Each check is recorded under your name. The permission ends 7 days after its last use, 30 days from now at the latest, or when your administrator takes it back.',
  onlyIf: 'Go on only if you chose {button} in Counterfoil yourself, just now.',
  button: 'Join this team',
  confirm: 'Join',
  cancel: 'Cancel',

  goBack: 'Go back to Counterfoil',
  goBackText: 'Its settings say whether you have joined. You can close this tab.',
  joined: 'You have joined',
  joinedText: 'Go back to Counterfoil, which does the rest. You can close this tab.',
  expired: 'This took too long',
  expiredText: 'You have not joined. Begin again in Counterfoil: Settings, Team.',
  notJoined: 'You have not joined',
  notJoinedText: 'Nothing was given to Counterfoil. You can close this tab.',

  again: 'Begin again in Counterfoil: Settings, Team.',
  badLink: 'This link is not complete',
  tooMany: 'Too many people are joining at this moment',
  tooManyText: 'Wait ten minutes, then begin again in Counterfoil.',
  unknownJoin: 'There is nothing to go on with here',
  unknownJoinText:
    'It took too long, ended already, or was begun in another browser or tab. Begin again in Counterfoil: Settings, Team.',
  noStore: 'The relay cannot reach its database',
  noStoreText: 'Nothing is wrong with your account. Reload this page in a moment.',
  otherOrigin: 'This form came from another address',
  otherOriginText: 'The relay’s address is {origin}. Begin again in Counterfoil: Settings, Team.',

  inviteUnknown:
    'This invite was used, has expired, or is not complete. Ask your administrator for a new one.',
  noAgent:
    '{email} is not on this team’s list of agents. Ask your administrator to add this address, or sign in with another account.',
  providerUnreachable: 'The sign-in service does not answer. Try again in a moment.',
  refused: 'The sign-in service did not let you in, or you stopped there. You can try again.',
  notBelieved: 'The answer of the sign-in service does not belong to this sign-in. Try again.',
  noEmail:
    'The sign-in service did not tell your e-mail address, which the relay needs to know who you are.',
  noSubject: 'The sign-in service did not tell the relay who you are. Ask your administrator.',
  emailUnverified:
    'The sign-in service has not confirmed that {email} is yours. Confirm the address there, then sign in again.',
};

export type JoinTexts = Readonly<Record<keyof typeof en, string>>;
