import type { JoinTexts } from '#relay/join/texts/en';

export const fr: JoinTexts = {
  join: 'Rejoindre {team}',
  withAccount: 'Avec votre compte',
  signInAt: 'Vous vous connectez à {provider}, puis vous revenez ici.',
  signIn: 'Se connecter',
  withInvite: 'Avec une invitation',
  orWithInvite: 'Ou avec une invitation',
  inviteLink: 'Lien d’invitation',
  inviteHint: 'Votre administrateur vous l’a envoyé. Il est valable un jour et une seule fois.',
  useInvite: 'Utiliser l’invitation',

  beginThere:
    'Tout commence dans Counterfoil\u00A0: ouvrez ses paramètres et collez ce lien sous {section}.',
  section: 'Équipe',
  link: 'Lien',
  linkHint:
    'S’il contient une invitation, gardez-le pour vous\u00A0: elle sert une seule fois, pour vous.',

  joinQuestion: 'Rejoindre {team}\u202F?',
  youAre: 'Vous êtes',
  role: 'Rôle',
  ableTo: 'Dans ce navigateur, Counterfoil pourra',
  check: 'vérifier des codes d’achat et lire les articles',
  checkOf: 'vérifier des codes d’achat et lire les articles sur {connections}',
  see: 'voir, du compte\u00A0: {fields}',
  notSee: 'ne pas voir, du compte\u00A0: {fields}',
  balance: 'solde',
  email: 'adresse e-mail',
  profile: 'profil',
  report: 'voir ce que l’équipe a vérifié en un mois',
  recorded:
    'Chaque vérification est enregistrée à votre nom. L’autorisation prend fin 7 jours après sa dernière utilisation, dans 30 jours au plus tard, ou quand votre administrateur la retire.',
  onlyIf: 'Continuez seulement si vous venez de choisir vous-même {button} dans Counterfoil.',
  button: 'Rejoindre cette équipe',
  confirm: 'Rejoindre',
  cancel: 'Annuler',

  goBack: 'Revenez à Counterfoil',
  goBackText: 'Ses paramètres disent si vous avez rejoint l’équipe. Vous pouvez fermer cet onglet.',
  joined: 'Vous avez rejoint l’équipe',
  joinedText: 'Revenez à Counterfoil, qui fait le reste. Vous pouvez fermer cet onglet.',
  expired: 'Cela a pris trop de temps',
  expiredText:
    'Vous n’avez pas rejoint l’équipe. Recommencez dans Counterfoil\u00A0: Paramètres, Équipe.',
  notJoined: 'Vous n’avez pas rejoint l’équipe',
  notJoinedText: 'Rien n’a été donné à Counterfoil. Vous pouvez fermer cet onglet.',

  again: 'Recommencez dans Counterfoil\u00A0: Paramètres, Équipe.',
  badLink: 'Ce lien n’est pas complet',
  tooMany: 'Trop de personnes rejoignent l’équipe en ce moment',
  tooManyText: 'Attendez dix minutes, puis recommencez dans Counterfoil.',
  unknownJoin: 'Il n’y a rien à poursuivre ici',
  unknownJoinText:
    'Cela a pris trop de temps, est déjà terminé ou a été commencé dans un autre navigateur ou onglet. Recommencez dans Counterfoil\u00A0: Paramètres, Équipe.',
  noStore: 'Le relais n’atteint pas sa base de données',
  noStoreText: 'Votre compte n’est pas en cause. Rechargez cette page dans un instant.',
  otherOrigin: 'Ce formulaire vient d’une autre adresse',
  otherOriginText:
    'L’adresse du relais est {origin}. Recommencez dans Counterfoil\u00A0: Paramètres, Équipe.',

  inviteUnknown:
    'Cette invitation a déjà servi, a expiré ou n’est pas complète. Demandez-en une nouvelle à votre administrateur.',
  noAgent:
    '{email} n’est pas sur la liste des agents de cette équipe. Demandez à votre administrateur d’ajouter cette adresse, ou connectez-vous avec un autre compte.',
  providerUnreachable: 'Le service de connexion ne répond pas. Réessayez dans un instant.',
  refused:
    'Le service de connexion ne vous a pas accepté, ou vous vous êtes arrêté là-bas. Vous pouvez réessayer.',
  notBelieved: 'La réponse du service de connexion ne correspond pas à cette connexion. Réessayez.',
  noEmail:
    'Le service de connexion n’a pas indiqué votre adresse e-mail, dont le relais a besoin pour savoir qui vous êtes.',
  noSubject:
    'Le service de connexion n’a pas dit au relais qui vous êtes. Demandez à votre administrateur.',
  emailUnverified:
    'Le service de connexion n’a pas confirmé que {email} est à vous. Confirmez l’adresse là-bas, puis reconnectez-vous.',
};
