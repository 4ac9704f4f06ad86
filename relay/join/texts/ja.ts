import type { JoinTexts } from '#relay/join/texts/en';

export const ja: JoinTexts = {
  join: '{team}に参加',
  withAccount: 'アカウントで参加',
  signInAt: '{provider}でサインインすると、ここに戻ります。',
  signIn: 'サインイン',
  withInvite: '招待で参加',
  orWithInvite: 'または招待で参加',
  inviteLink: '招待リンク',
  inviteHint: '管理者から届いたものです。1日間、1回だけ使えます。',
  useInvite: '招待を使う',

  beginThere:
    '参加の手続きはCounterfoilで始めます。設定を開き、{section}にこのリンクを貼り付けてください。',
  section: 'チーム',
  link: 'リンク',
  linkHint: '招待を含む場合は、ほかの人に渡さないでください。あなただけが1回使えます。',

  joinQuestion: '{team}に参加しますか？',
  youAre: 'あなた',
  role: '役割',
  ableTo: 'このブラウザーのCounterfoilにできること',
  check: '購入コードの確認と商品の閲覧',
  checkOf: '購入コードの確認と商品の閲覧（{connections}）',
  see: 'アカウントの閲覧：{fields}',
  notSee: 'アカウントで閲覧できないもの：{fields}',
  balance: '残高',
  email: 'メールアドレス',
  profile: 'プロフィール',
  report: 'チームの1か月分の確認内容の閲覧',
  recorded:
    '確認はすべてあなたの名前で記録されます。この許可は、最後に使ってから7日後、遅くとも今から30日後、または管理者が取り消したときに終了します。',
  onlyIf: 'たった今ご自身でCounterfoilの{button}を選んだ場合に限り、続けてください。',
  button: 'このチームに参加',
  confirm: '参加',
  cancel: 'キャンセル',

  goBack: 'Counterfoilに戻ってください',
  goBackText: '参加できたかどうかは設定に表示されます。このタブは閉じてかまいません。',
  joined: '参加しました',
  joinedText: 'Counterfoilに戻ってください。残りは自動で行われます。このタブは閉じてかまいません。',
  expired: '時間がかかりすぎました',
  expiredText: '参加していません。Counterfoilの「設定」の「チーム」からやり直してください。',
  notJoined: '参加していません',
  notJoinedText: 'Counterfoilには何も渡していません。このタブは閉じてかまいません。',

  again: 'Counterfoilの「設定」の「チーム」からやり直してください。',
  badLink: 'このリンクは完全ではありません',
  tooMany: '現在、参加の手続きが集中しています',
  tooManyText: '10分待ってから、Counterfoilでやり直してください。',
  unknownJoin: 'ここで続けられる手続きはありません',
  unknownJoinText:
    '時間がかかりすぎたか、すでに終了したか、別のブラウザーまたはタブで始めたものです。Counterfoilの「設定」の「チーム」からやり直してください。',
  noStore: 'リレーがデータベースに接続できません',
  noStoreText:
    'あなたのアカウントに問題はありません。しばらくしてからこのページを再読み込みしてください。',
  otherOrigin: 'このフォームは別のアドレスから送られました',
  otherOriginText:
    'リレーのアドレスは{origin}です。Counterfoilの「設定」の「チーム」からやり直してください。',

  inviteUnknown:
    'この招待は使用済みか、期限切れか、完全ではありません。管理者に新しい招待を依頼してください。',
  noAgent:
    '{email}はこのチームの担当者の一覧にありません。管理者にこのアドレスの追加を依頼するか、別のアカウントでサインインしてください。',
  providerUnreachable:
    'サインインのサービスが応答しません。しばらくしてからもう一度お試しください。',
  refused: 'サインインのサービスに拒否されたか、途中で中止されました。もう一度お試しいただけます。',
  notBelieved:
    'サインインのサービスの応答が、このサインインのものではありません。もう一度お試しください。',
  noEmail:
    'サインインのサービスがメールアドレスを知らせませんでした。リレーは、あなたが誰かを知るためにこれを必要とします。',
  noSubject:
    'サインインのサービスが、あなたが誰かをリレーに知らせませんでした。管理者に問い合わせてください。',
  emailUnverified:
    '{email}があなたのものであることを、サインインのサービスが確認していません。そちらでアドレスを確認してから、もう一度サインインしてください。',
};
