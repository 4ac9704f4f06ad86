import type { JoinTexts } from '#relay/join/texts/en';

export const es: JoinTexts = {
  join: 'Unirse a {team}',
  withAccount: 'Con su cuenta',
  signInAt: 'Inicia sesión en {provider} y vuelve aquí.',
  signIn: 'Iniciar sesión',
  withInvite: 'Con una invitación',
  orWithInvite: 'O con una invitación',
  inviteLink: 'Enlace de invitación',
  inviteHint: 'Se lo envió su administrador. Vale un día y una sola vez.',
  useInvite: 'Usar la invitación',

  beginThere: 'Se empieza en Counterfoil: abra sus ajustes y pegue este enlace en {section}.',
  section: 'Equipo',
  link: 'Enlace',
  linkHint: 'Si contiene una invitación, no lo comparta: vale una vez, solo para usted.',

  joinQuestion: '¿Unirse a {team}?',
  youAre: 'Usted es',
  role: 'Rol',
  ableTo: 'En este navegador, Counterfoil podrá',
  check: 'verificar códigos de compra y leer artículos',
  checkOf: 'verificar códigos de compra y leer artículos en {connections}',
  see: 'ver de la cuenta: {fields}',
  notSee: 'no ver de la cuenta: {fields}',
  balance: 'saldo',
  email: 'correo electrónico',
  profile: 'perfil',
  report: 'ver lo que el equipo ha verificado en un mes',
  recorded:
    'Cada verificación queda registrada a su nombre. El permiso termina 7 días después de su último uso, como muy tarde dentro de 30 días, o cuando su administrador lo retire.',
  onlyIf: 'Continúe solo si acaba de elegir usted mismo {button} en Counterfoil.',
  button: 'Unirse a este equipo',
  confirm: 'Unirse',
  cancel: 'Cancelar',

  goBack: 'Vuelva a Counterfoil',
  goBackText: 'Sus ajustes dicen si se ha unido. Puede cerrar esta pestaña.',
  joined: 'Se ha unido al equipo',
  joinedText: 'Vuelva a Counterfoil, que hace el resto. Puede cerrar esta pestaña.',
  expired: 'Ha tardado demasiado',
  expiredText: 'No se ha unido. Empiece de nuevo en Counterfoil: Ajustes, Equipo.',
  notJoined: 'No se ha unido al equipo',
  notJoinedText: 'Counterfoil no ha recibido nada. Puede cerrar esta pestaña.',

  again: 'Empiece de nuevo en Counterfoil: Ajustes, Equipo.',
  badLink: 'Este enlace no está completo',
  tooMany: 'Demasiadas personas se están uniendo en este momento',
  tooManyText: 'Espere diez minutos y empiece de nuevo en Counterfoil.',
  unknownJoin: 'Aquí no hay nada que continuar',
  unknownJoinText:
    'Tardó demasiado, ya terminó o se empezó en otro navegador u otra pestaña. Empiece de nuevo en Counterfoil: Ajustes, Equipo.',
  noStore: 'El relay no alcanza su base de datos',
  noStoreText: 'Su cuenta está bien. Vuelva a cargar esta página dentro de un momento.',
  otherOrigin: 'Este formulario vino de otra dirección',
  otherOriginText:
    'La dirección del relay es {origin}. Empiece de nuevo en Counterfoil: Ajustes, Equipo.',

  inviteUnknown:
    'Esta invitación ya se usó, ha caducado o no está completa. Pida una nueva a su administrador.',
  noAgent:
    '{email} no está en la lista de agentes de este equipo. Pida a su administrador que añada esta dirección, o inicie sesión con otra cuenta.',
  providerUnreachable:
    'El servicio de inicio de sesión no responde. Inténtelo de nuevo dentro de un momento.',
  refused:
    'El servicio de inicio de sesión no le dejó entrar, o usted se detuvo allí. Puede intentarlo de nuevo.',
  notBelieved:
    'La respuesta del servicio de inicio de sesión no corresponde a este inicio. Inténtelo de nuevo.',
  noEmail:
    'El servicio de inicio de sesión no indicó su correo electrónico, que el relay necesita para saber quién es usted.',
  noSubject:
    'El servicio de inicio de sesión no indicó al relay quién es usted. Pregunte a su administrador.',
  emailUnverified:
    'El servicio de inicio de sesión no ha confirmado que {email} sea suyo. Confirme la dirección allí e inicie sesión de nuevo.',
};
