import type { JoinTexts } from '#relay/join/texts/en';

export const de: JoinTexts = {
  join: '{team} beitreten',
  withAccount: 'Mit Ihrem Konto',
  signInAt: 'Sie melden sich bei {provider} an und kommen hierher zurück.',
  signIn: 'Anmelden',
  withInvite: 'Mit einer Einladung',
  orWithInvite: 'Oder mit einer Einladung',
  inviteLink: 'Einladungslink',
  inviteHint: 'Ihr Administrator hat ihn Ihnen geschickt. Er gilt einen Tag und nur einmal.',
  useInvite: 'Einladung verwenden',

  beginThere:
    'Der Beitritt beginnt in Counterfoil: Öffnen Sie dort die Einstellungen, und fügen Sie diesen Link unter {section} ein.',
  section: 'Team',
  link: 'Link',
  linkHint:
    'Wenn er eine Einladung enthält, behalten Sie ihn für sich: Sie gilt einmal, nur für Sie.',

  joinQuestion: '{team} beitreten?',
  youAre: 'Sie sind',
  role: 'Rolle',
  ableTo: 'Counterfoil kann dann in diesem Browser',
  check: 'Kaufcodes prüfen und Artikel lesen',
  checkOf: 'Kaufcodes prüfen und Artikel lesen, auf {connections}',
  see: 'vom Konto sehen: {fields}',
  notSee: 'vom Konto nicht sehen: {fields}',
  balance: 'Guthaben',
  email: 'E-Mail-Adresse',
  profile: 'Profil',
  report: 'sehen, was das Team in einem Monat geprüft hat',
  recorded:
    'Jede Prüfung wird unter Ihrem Namen festgehalten. Die Erlaubnis endet 7 Tage nach ihrer letzten Verwendung, spätestens in 30 Tagen, oder wenn Ihr Administrator sie zurücknimmt.',
  onlyIf: 'Gehen Sie nur weiter, wenn Sie eben selbst in Counterfoil {button} gewählt haben.',
  button: 'Diesem Team beitreten',
  confirm: 'Beitreten',
  cancel: 'Abbrechen',

  goBack: 'Gehen Sie zurück zu Counterfoil',
  goBackText:
    'Seine Einstellungen sagen, ob Sie beigetreten sind. Diesen Tab können Sie schließen.',
  joined: 'Sie sind beigetreten',
  joinedText:
    'Gehen Sie zurück zu Counterfoil, das den Rest erledigt. Diesen Tab können Sie schließen.',
  expired: 'Das hat zu lange gedauert',
  expiredText: 'Sie sind nicht beigetreten. Beginnen Sie in Counterfoil neu: Einstellungen, Team.',
  notJoined: 'Sie sind nicht beigetreten',
  notJoinedText: 'Counterfoil hat nichts bekommen. Diesen Tab können Sie schließen.',

  again: 'Beginnen Sie in Counterfoil neu: Einstellungen, Team.',
  badLink: 'Dieser Link ist nicht vollständig',
  tooMany: 'Gerade treten zu viele gleichzeitig bei',
  tooManyText: 'Warten Sie zehn Minuten, und beginnen Sie dann in Counterfoil neu.',
  unknownJoin: 'Hier geht es nicht weiter',
  unknownJoinText:
    'Der Beitritt hat zu lange gedauert, ist schon beendet oder wurde in einem anderen Browser oder Tab begonnen. Beginnen Sie in Counterfoil neu: Einstellungen, Team.',
  noStore: 'Das Relay erreicht seine Datenbank nicht',
  noStoreText: 'Mit Ihrem Konto ist alles in Ordnung. Laden Sie diese Seite gleich noch einmal.',
  otherOrigin: 'Dieses Formular kam von einer anderen Adresse',
  otherOriginText:
    'Die Adresse des Relays ist {origin}. Beginnen Sie in Counterfoil neu: Einstellungen, Team.',

  inviteUnknown:
    'Diese Einladung wurde schon verwendet, ist abgelaufen oder nicht vollständig. Bitten Sie Ihren Administrator um eine neue.',
  noAgent:
    '{email} steht nicht auf der Liste der Agenten dieses Teams. Bitten Sie Ihren Administrator, die Adresse aufzunehmen, oder melden Sie sich mit einem anderen Konto an.',
  providerUnreachable: 'Der Anmeldedienst antwortet nicht. Versuchen Sie es gleich noch einmal.',
  refused:
    'Der Anmeldedienst hat Sie nicht angemeldet, oder Sie haben dort abgebrochen. Sie können es noch einmal versuchen.',
  notBelieved:
    'Die Antwort des Anmeldedienstes gehört nicht zu dieser Anmeldung. Versuchen Sie es noch einmal.',
  noEmail:
    'Der Anmeldedienst hat Ihre E-Mail-Adresse nicht genannt. Das Relay braucht sie, um zu wissen, wer Sie sind.',
  noSubject:
    'Der Anmeldedienst hat dem Relay nicht gesagt, wer Sie sind. Fragen Sie Ihren Administrator.',
  emailUnverified:
    'Der Anmeldedienst hat nicht bestätigt, dass {email} Ihnen gehört. Bestätigen Sie die Adresse dort, und melden Sie sich dann neu an.',
};
