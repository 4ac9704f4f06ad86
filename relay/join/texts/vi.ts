import type { JoinTexts } from '#relay/join/texts/en';

export const vi: JoinTexts = {
  join: 'Tham gia {team}',
  withAccount: 'Bằng tài khoản của bạn',
  signInAt: 'Bạn đăng nhập tại {provider} rồi quay lại đây.',
  signIn: 'Đăng nhập',
  withInvite: 'Bằng lời mời',
  orWithInvite: 'Hoặc bằng lời mời',
  inviteLink: 'Liên kết mời',
  inviteHint: 'Quản trị viên đã gửi cho bạn. Liên kết có hiệu lực một ngày và dùng được một lần.',
  useInvite: 'Dùng lời mời',

  beginThere:
    'Việc tham gia bắt đầu trong Counterfoil: mở phần cài đặt và dán liên kết này vào mục {section}.',
  section: 'Nhóm',
  link: 'Liên kết',
  linkHint: 'Nếu có lời mời bên trong, đừng chia sẻ: chỉ dùng được một lần, dành cho bạn.',

  joinQuestion: 'Tham gia {team}?',
  youAre: 'Bạn là',
  role: 'Vai trò',
  ableTo: 'Trong trình duyệt này, Counterfoil sẽ có thể',
  check: 'kiểm tra mã mua hàng và đọc sản phẩm',
  checkOf: 'kiểm tra mã mua hàng và đọc sản phẩm trên {connections}',
  see: 'xem trong tài khoản: {fields}',
  notSee: 'không xem trong tài khoản: {fields}',
  balance: 'số dư',
  email: 'địa chỉ email',
  profile: 'hồ sơ',
  report: 'xem nhóm đã kiểm tra những gì trong một tháng',
  recorded:
    'Mỗi lần kiểm tra được ghi lại dưới tên bạn. Quyền này kết thúc 7 ngày sau lần dùng cuối, chậm nhất là 30 ngày kể từ bây giờ, hoặc khi quản trị viên thu hồi.',
  onlyIf: 'Chỉ tiếp tục nếu chính bạn vừa chọn {button} trong Counterfoil.',
  button: 'Tham gia nhóm này',
  confirm: 'Tham gia',
  cancel: 'Hủy',

  goBack: 'Hãy quay lại Counterfoil',
  goBackText: 'Phần cài đặt cho biết bạn đã tham gia hay chưa. Bạn có thể đóng tab này.',
  joined: 'Bạn đã tham gia',
  joinedText: 'Hãy quay lại Counterfoil để hoàn tất. Bạn có thể đóng tab này.',
  expired: 'Đã mất quá nhiều thời gian',
  expiredText: 'Bạn chưa tham gia. Hãy bắt đầu lại trong Counterfoil: Cài đặt, Nhóm.',
  notJoined: 'Bạn chưa tham gia',
  notJoinedText: 'Counterfoil không nhận được gì. Bạn có thể đóng tab này.',

  again: 'Hãy bắt đầu lại trong Counterfoil: Cài đặt, Nhóm.',
  badLink: 'Liên kết này không đầy đủ',
  tooMany: 'Hiện có quá nhiều người đang tham gia',
  tooManyText: 'Hãy đợi mười phút rồi bắt đầu lại trong Counterfoil.',
  unknownJoin: 'Không có gì để tiếp tục ở đây',
  unknownJoinText:
    'Việc tham gia mất quá nhiều thời gian, đã kết thúc, hoặc được bắt đầu trong trình duyệt hay tab khác. Hãy bắt đầu lại trong Counterfoil: Cài đặt, Nhóm.',
  noStore: 'Relay không truy cập được cơ sở dữ liệu của nó',
  noStoreText: 'Tài khoản của bạn không có vấn đề gì. Hãy tải lại trang này sau giây lát.',
  otherOrigin: 'Biểu mẫu này đến từ một địa chỉ khác',
  otherOriginText:
    'Địa chỉ của relay là {origin}. Hãy bắt đầu lại trong Counterfoil: Cài đặt, Nhóm.',

  inviteUnknown:
    'Lời mời này đã được dùng, đã hết hạn hoặc không đầy đủ. Hãy xin quản trị viên lời mời mới.',
  noAgent:
    '{email} không có trong danh sách nhân viên của nhóm này. Hãy nhờ quản trị viên thêm địa chỉ này, hoặc đăng nhập bằng tài khoản khác.',
  providerUnreachable: 'Dịch vụ đăng nhập không trả lời. Hãy thử lại sau giây lát.',
  refused: 'Dịch vụ đăng nhập không cho bạn vào, hoặc bạn đã dừng lại ở đó. Bạn có thể thử lại.',
  notBelieved: 'Câu trả lời của dịch vụ đăng nhập không thuộc lần đăng nhập này. Hãy thử lại.',
  noEmail:
    'Dịch vụ đăng nhập không cho biết địa chỉ email của bạn, mà relay cần để biết bạn là ai.',
  noSubject: 'Dịch vụ đăng nhập không cho relay biết bạn là ai. Hãy hỏi quản trị viên của bạn.',
  emailUnverified:
    'Dịch vụ đăng nhập chưa xác nhận rằng {email} là của bạn. Hãy xác nhận địa chỉ ở đó rồi đăng nhập lại.',
};
