import type { JoinTexts } from '#relay/join/texts/en';

export const ptBr: JoinTexts = {
  join: 'Entrar em {team}',
  withAccount: 'Com a sua conta',
  signInAt: 'Você entra em {provider} e volta para cá.',
  signIn: 'Entrar com a conta',
  withInvite: 'Com um convite',
  orWithInvite: 'Ou com um convite',
  inviteLink: 'Link de convite',
  inviteHint: 'O seu administrador o enviou a você. Vale por um dia e uma única vez.',
  useInvite: 'Usar o convite',

  beginThere: 'Tudo começa no Counterfoil: abra as configurações e cole este link em {section}.',
  section: 'Equipe',
  link: 'Link',
  linkHint: 'Se ele contém um convite, guarde-o só para você: vale uma vez, para você.',

  joinQuestion: 'Entrar em {team}?',
  youAre: 'Você é',
  role: 'Função',
  ableTo: 'Neste navegador, o Counterfoil poderá',
  check: 'verificar códigos de compra e ler itens',
  checkOf: 'verificar códigos de compra e ler itens em {connections}',
  see: 'ver da conta: {fields}',
  notSee: 'não ver da conta: {fields}',
  balance: 'saldo',
  email: 'e-mail',
  profile: 'perfil',
  report: 'ver o que a equipe verificou em um mês',
  recorded:
    'Cada verificação é registrada em seu nome. A permissão termina 7 dias depois do último uso, em 30 dias no máximo, ou quando o seu administrador a retirar.',
  onlyIf: 'Continue somente se você mesmo acabou de escolher {button} no Counterfoil.',
  button: 'Entrar nesta equipe',
  confirm: 'Entrar',
  cancel: 'Cancelar',

  goBack: 'Volte ao Counterfoil',
  goBackText: 'As configurações dele dizem se você entrou. Você pode fechar esta aba.',
  joined: 'Você entrou na equipe',
  joinedText: 'Volte ao Counterfoil, que faz o resto. Você pode fechar esta aba.',
  expired: 'Demorou demais',
  expiredText: 'Você não entrou. Comece de novo no Counterfoil: Configurações, Equipe.',
  notJoined: 'Você não entrou na equipe',
  notJoinedText: 'Nada foi entregue ao Counterfoil. Você pode fechar esta aba.',

  again: 'Comece de novo no Counterfoil: Configurações, Equipe.',
  badLink: 'Este link não está completo',
  tooMany: 'Há pessoas demais entrando neste momento',
  tooManyText: 'Espere dez minutos e comece de novo no Counterfoil.',
  unknownJoin: 'Não há nada para continuar aqui',
  unknownJoinText:
    'Demorou demais, já terminou ou foi começado em outro navegador ou outra aba. Comece de novo no Counterfoil: Configurações, Equipe.',
  noStore: 'O relay não alcança o banco de dados',
  noStoreText: 'Não há nada errado com a sua conta. Recarregue esta página daqui a pouco.',
  otherOrigin: 'Este formulário veio de outro endereço',
  otherOriginText:
    'O endereço do relay é {origin}. Comece de novo no Counterfoil: Configurações, Equipe.',

  inviteUnknown:
    'Este convite já foi usado, expirou ou não está completo. Peça um novo ao seu administrador.',
  noAgent:
    '{email} não está na lista de agentes desta equipe. Peça ao seu administrador que inclua este endereço, ou entre com outra conta.',
  providerUnreachable: 'O serviço de login não responde. Tente de novo daqui a pouco.',
  refused: 'O serviço de login não deixou você entrar, ou você parou lá. Você pode tentar de novo.',
  notBelieved: 'A resposta do serviço de login não pertence a esta entrada. Tente de novo.',
  noEmail:
    'O serviço de login não informou o seu e-mail, de que o relay precisa para saber quem você é.',
  noSubject: 'O serviço de login não informou ao relay quem você é. Pergunte ao seu administrador.',
  emailUnverified:
    'O serviço de login não confirmou que {email} é seu. Confirme o endereço lá e entre de novo.',
};
