import { toolTitle } from '@parley/protocol/escape-invisible';

const english = {
  search_knowledge: 'Search our information',
  contact_read: 'Look at your details',
  contact_update: 'Note your details',
  contact_move: 'Update your details',
  free_slots: 'Look for free times',
  book: 'Book',
  move: 'Move',
  cancel: 'Cancel',
  send_mail: 'Send an e-mail',
  other: 'Request to {name}',
};

type Name = keyof typeof english;

/** The words of this chunk in the other languages, which nobody else has to load. */
const languages: Readonly<Record<string, Record<Name, string>>> = {
  de: {
    search_knowledge: 'In unseren Informationen suchen',
    contact_read: 'Ihre Angaben ansehen',
    contact_update: 'Ihre Angaben notieren',
    contact_move: 'Ihre Angaben aktualisieren',
    free_slots: 'Freie Termine suchen',
    book: 'Buchen',
    move: 'Verschieben',
    cancel: 'Absagen',
    send_mail: 'E-Mail senden',
    other: 'Anfrage an {name}',
  },
  fr: {
    search_knowledge: 'Rechercher dans nos informations',
    contact_read: 'Consulter vos coordonnées',
    contact_update: 'Noter vos coordonnées',
    contact_move: 'Mettre à jour vos coordonnées',
    free_slots: 'Chercher les créneaux libres',
    book: 'Réserver',
    move: 'Déplacer',
    cancel: 'Annuler',
    send_mail: 'Envoyer un e-mail',
    other: 'Demande à {name}',
  },
  es: {
    search_knowledge: 'Buscar en nuestra información',
    contact_read: 'Consultar sus datos',
    contact_update: 'Anotar sus datos',
    contact_move: 'Actualizar sus datos',
    free_slots: 'Buscar horas libres',
    book: 'Reservar',
    move: 'Cambiar',
    cancel: 'Cancelar',
    send_mail: 'Enviar un correo',
    other: 'Consulta a {name}',
  },
  pt: {
    search_knowledge: 'Pesquisar em nossas informações',
    contact_read: 'Consultar seus dados',
    contact_update: 'Anotar seus dados',
    contact_move: 'Atualizar seus dados',
    free_slots: 'Procurar horários livres',
    book: 'Reservar',
    move: 'Remarcar',
    cancel: 'Cancelar',
    send_mail: 'Enviar um e-mail',
    other: 'Consulta a {name}',
  },
  ja: {
    search_knowledge: '情報を検索',
    contact_read: 'お客様情報を確認',
    contact_update: 'お客様情報を記録',
    contact_move: 'お客様情報を更新',
    free_slots: '空き時間を検索',
    book: '予約',
    move: '日時の変更',
    cancel: 'キャンセル',
    send_mail: 'メールを送信',
    other: '{name}への問い合わせ',
  },
  zh: {
    search_knowledge: '搜索我们的资料',
    contact_read: '查看您的信息',
    contact_update: '记录您的信息',
    contact_move: '更新您的信息',
    free_slots: '查找空闲时间',
    book: '预约',
    move: '改期',
    cancel: '取消',
    send_mail: '发送电子邮件',
    other: '向 {name} 发出请求',
  },
  ar: {
    search_knowledge: 'البحث في معلوماتنا',
    contact_read: 'الاطلاع على بياناتك',
    contact_update: 'تدوين بياناتك',
    contact_move: 'تحديث بياناتك',
    free_slots: 'البحث عن مواعيد متاحة',
    book: 'حجز',
    move: 'تغيير الموعد',
    cancel: 'إلغاء',
    send_mail: 'إرسال بريد إلكتروني',
    other: 'طلب إلى {name}',
  },
  he: {
    search_knowledge: 'חיפוש במידע שלנו',
    contact_read: 'עיון בפרטים שלך',
    contact_update: 'רישום הפרטים שלך',
    contact_move: 'עדכון הפרטים שלך',
    free_slots: 'חיפוש מועדים פנויים',
    book: 'הזמנה',
    move: 'שינוי מועד',
    cancel: 'ביטול',
    send_mail: 'שליחת דוא״ל',
    other: 'פנייה אל {name}',
  },
};

/** The tools of the service itself; those of connections have the connection's name before them. */
const ofService = new Set<string>(['search_knowledge', 'contact_read', 'contact_update', 'contact_move']);

/** A tool that nobody has named for visitors, in their language; null for what the tenant or the page has made. */
export function knownTitle(toolName: string, locale: string): string | null {
  const words = languages[locale.split('-')[0]!] ?? english;
  if (ofService.has(toolName)) return words[toolName as Name];
  const [connection, ...rest] = toolName.split('__');
  if (!connection || rest.length === 0) return null;
  const verb = rest.join('__');
  if (verb !== 'other' && !ofService.has(verb) && Object.hasOwn(words, verb)) return words[verb as Name];
  return words.other.replace('{name}', () => toolTitle(connection));
}
