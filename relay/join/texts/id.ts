import type { JoinTexts } from '#relay/join/texts/en';

export const id: JoinTexts = {
  join: 'Bergabung dengan {team}',
  withAccount: 'Dengan akun Anda',
  signInAt: 'Anda login di {provider} lalu kembali ke sini.',
  signIn: 'Login',
  withInvite: 'Dengan undangan',
  orWithInvite: 'Atau dengan undangan',
  inviteLink: 'Tautan undangan',
  inviteHint: 'Administrator Anda mengirimkannya. Berlaku satu hari dan hanya sekali.',
  useInvite: 'Gunakan undangan',

  beginThere:
    'Bergabung dimulai di Counterfoil: buka setelannya, lalu tempelkan tautan ini di bagian {section}.',
  section: 'Tim',
  link: 'Tautan',
  linkHint: 'Jika berisi undangan, jangan bagikan: berlaku sekali, hanya untuk Anda.',

  joinQuestion: 'Bergabung dengan {team}?',
  youAre: 'Anda adalah',
  role: 'Peran',
  ableTo: 'Di browser ini, Counterfoil akan dapat',
  check: 'memeriksa kode pembelian dan membaca item',
  checkOf: 'memeriksa kode pembelian dan membaca item di {connections}',
  see: 'melihat dari akun: {fields}',
  notSee: 'tidak melihat dari akun: {fields}',
  balance: 'saldo',
  email: 'alamat email',
  profile: 'profil',
  report: 'melihat apa yang diperiksa tim dalam satu bulan',
  recorded:
    'Setiap pemeriksaan dicatat atas nama Anda. Izin berakhir 7 hari setelah terakhir dipakai, paling lambat 30 hari dari sekarang, atau ketika administrator Anda mencabutnya.',
  onlyIf: 'Lanjutkan hanya jika Anda sendiri baru saja memilih {button} di Counterfoil.',
  button: 'Bergabung dengan tim ini',
  confirm: 'Bergabung',
  cancel: 'Batal',

  goBack: 'Kembali ke Counterfoil',
  goBackText: 'Setelannya menunjukkan apakah Anda sudah bergabung. Anda dapat menutup tab ini.',
  joined: 'Anda telah bergabung',
  joinedText: 'Kembali ke Counterfoil, yang menyelesaikan sisanya. Anda dapat menutup tab ini.',
  expired: 'Terlalu lama',
  expiredText: 'Anda belum bergabung. Mulai lagi di Counterfoil: Setelan, Tim.',
  notJoined: 'Anda belum bergabung',
  notJoinedText: 'Tidak ada yang diberikan kepada Counterfoil. Anda dapat menutup tab ini.',

  again: 'Mulai lagi di Counterfoil: Setelan, Tim.',
  badLink: 'Tautan ini tidak lengkap',
  tooMany: 'Terlalu banyak orang sedang bergabung saat ini',
  tooManyText: 'Tunggu sepuluh menit, lalu mulai lagi di Counterfoil.',
  unknownJoin: 'Tidak ada yang dapat dilanjutkan di sini',
  unknownJoinText:
    'Prosesnya terlalu lama, sudah berakhir, atau dimulai di browser atau tab lain. Mulai lagi di Counterfoil: Setelan, Tim.',
  noStore: 'Relay tidak dapat menjangkau basis datanya',
  noStoreText: 'Tidak ada masalah dengan akun Anda. Muat ulang halaman ini sebentar lagi.',
  otherOrigin: 'Formulir ini berasal dari alamat lain',
  otherOriginText: 'Alamat relay adalah {origin}. Mulai lagi di Counterfoil: Setelan, Tim.',

  inviteUnknown:
    'Undangan ini sudah dipakai, sudah kedaluwarsa, atau tidak lengkap. Minta yang baru kepada administrator Anda.',
  noAgent:
    '{email} tidak ada dalam daftar agen tim ini. Minta administrator Anda menambahkan alamat ini, atau login dengan akun lain.',
  providerUnreachable: 'Layanan login tidak menjawab. Coba lagi sebentar lagi.',
  refused:
    'Layanan login tidak mengizinkan Anda masuk, atau Anda berhenti di sana. Anda dapat mencoba lagi.',
  notBelieved: 'Jawaban layanan login bukan untuk login ini. Coba lagi.',
  noEmail:
    'Layanan login tidak memberitahukan alamat email Anda, yang diperlukan relay untuk mengetahui siapa Anda.',
  noSubject:
    'Layanan login tidak memberi tahu relay siapa Anda. Tanyakan kepada administrator Anda.',
  emailUnverified:
    'Layanan login belum mengonfirmasi bahwa {email} milik Anda. Konfirmasikan alamat itu di sana, lalu login lagi.',
};
