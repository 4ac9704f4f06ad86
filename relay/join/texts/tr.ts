import type { JoinTexts } from '#relay/join/texts/en';

export const tr: JoinTexts = {
  join: 'Ekibe katılın: {team}',
  withAccount: 'Hesabınızla',
  signInAt: '{provider} adresinde oturum açar, sonra buraya dönersiniz.',
  signIn: 'Oturum aç',
  withInvite: 'Davetle',
  orWithInvite: 'Veya davetle',
  inviteLink: 'Davet bağlantısı',
  inviteHint: 'Size yöneticiniz gönderdi. Bir gün boyunca ve bir kez geçerlidir.',
  useInvite: 'Daveti kullan',

  beginThere:
    'Katılma Counterfoil’de başlar: ayarlarını açın ve bu bağlantıyı {section} bölümüne yapıştırın.',
  section: 'Ekip',
  link: 'Bağlantı',
  linkHint: 'Davet içeriyorsa kimseyle paylaşmayın: bir kez ve yalnızca sizin için geçerlidir.',

  joinQuestion: 'Bu ekibe katılınsın mı: {team}?',
  youAre: 'Siz',
  role: 'Rol',
  ableTo: 'Counterfoil bu tarayıcıda şunları yapabilecek',
  check: 'satın alma kodlarını kontrol etmek ve ürünleri okumak',
  checkOf: 'satın alma kodlarını kontrol etmek ve ürünleri okumak: {connections}',
  see: 'hesaptan şunları görmek: {fields}',
  notSee: 'hesaptan şunları görmemek: {fields}',
  balance: 'bakiye',
  email: 'e-posta adresi',
  profile: 'profil',
  report: 'ekibin bir ayda neleri kontrol ettiğini görmek',
  recorded:
    'Her kontrol sizin adınıza kaydedilir. İzin, son kullanımından 7 gün sonra, en geç 30 gün içinde veya yöneticiniz geri aldığında sona erer.',
  onlyIf: 'Yalnızca az önce Counterfoil’de {button} düğmesini kendiniz seçtiyseniz devam edin.',
  button: 'Bu ekibe katıl',
  confirm: 'Katıl',
  cancel: 'Vazgeç',

  goBack: 'Counterfoil’e dönün',
  goBackText: 'Katılıp katılmadığınızı ayarları söyler. Bu sekmeyi kapatabilirsiniz.',
  joined: 'Ekibe katıldınız',
  joinedText: 'Counterfoil’e dönün, gerisini o yapar. Bu sekmeyi kapatabilirsiniz.',
  expired: 'Çok uzun sürdü',
  expiredText: 'Katılmadınız. Counterfoil’de yeniden başlayın: Ayarlar, Ekip.',
  notJoined: 'Ekibe katılmadınız',
  notJoinedText: 'Counterfoil’e hiçbir şey verilmedi. Bu sekmeyi kapatabilirsiniz.',

  again: 'Counterfoil’de yeniden başlayın: Ayarlar, Ekip.',
  badLink: 'Bu bağlantı eksik',
  tooMany: 'Şu anda çok fazla kişi katılıyor',
  tooManyText: 'On dakika bekleyin, sonra Counterfoil’de yeniden başlayın.',
  unknownJoin: 'Burada devam edilecek bir şey yok',
  unknownJoinText:
    'Çok uzun sürdü, zaten bitti veya başka bir tarayıcıda ya da sekmede başlatıldı. Counterfoil’de yeniden başlayın: Ayarlar, Ekip.',
  noStore: 'Aktarıcı veritabanına ulaşamıyor',
  noStoreText: 'Hesabınızda bir sorun yok. Birazdan bu sayfayı yeniden yükleyin.',
  otherOrigin: 'Bu form başka bir adresten geldi',
  otherOriginText: 'Aktarıcının adresi: {origin}. Counterfoil’de yeniden başlayın: Ayarlar, Ekip.',

  inviteUnknown: 'Bu davet kullanılmış, süresi dolmuş veya eksik. Yöneticinizden yenisini isteyin.',
  noAgent:
    '{email} bu ekibin temsilci listesinde yok. Yöneticinizden bu adresi eklemesini isteyin veya başka bir hesapla oturum açın.',
  providerUnreachable: 'Oturum açma hizmeti yanıt vermiyor. Birazdan yeniden deneyin.',
  refused:
    'Oturum açma hizmeti girişinize izin vermedi veya orada vazgeçtiniz. Yeniden deneyebilirsiniz.',
  notBelieved: 'Oturum açma hizmetinin yanıtı bu oturuma ait değil. Yeniden deneyin.',
  noEmail:
    'Oturum açma hizmeti e-posta adresinizi bildirmedi; aktarıcının kim olduğunuzu bilmesi için bu gerekir.',
  noSubject: 'Oturum açma hizmeti aktarıcıya kim olduğunuzu bildirmedi. Yöneticinize sorun.',
  emailUnverified:
    'Oturum açma hizmeti {email} adresinin size ait olduğunu doğrulamadı. Adresi orada doğrulayın, sonra yeniden oturum açın.',
};
