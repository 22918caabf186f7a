import { useChunkWords } from '../i18n/use-chunk-words.ts';

export const transferLabels = {
  scan: 'Scan this with the other device, or open the link there. It works once.',
  validFor: 'Valid for {time}',
  arrival: 'Continue the conversation from your other device here?',
  linkOver: 'This link is no longer valid.',
};

type Name = keyof typeof transferLabels;

/** The words of this chunk in the other languages, which nobody else has to load. */
const languages: Readonly<Record<string, Record<Name, string>>> = {
  de: {
    scan: 'Scannen Sie das mit dem anderen Gerät oder öffnen Sie dort den Link. Er gilt einmal.',
    validFor: 'Noch {time} gültig',
    arrival: 'Die Unterhaltung von Ihrem anderen Gerät hier fortsetzen?',
    linkOver: 'Dieser Link ist nicht mehr gültig.',
  },
  fr: {
    scan: 'Scannez ce code avec l’autre appareil ou ouvrez-y le lien. Il fonctionne une seule fois.',
    validFor: 'Valable encore {time}',
    arrival: 'Continuer ici la conversation de votre autre appareil\u00a0?',
    linkOver: 'Ce lien n’est plus valable.',
  },
  es: {
    scan: 'Escanee este código con el otro dispositivo o abra allí el enlace. Sirve una sola vez.',
    validFor: 'Válido durante {time}',
    arrival: '¿Continuar aquí la conversación de su otro dispositivo?',
    linkOver: 'Este enlace ya no es válido.',
  },
  pt: {
    scan: 'Leia este código com o outro dispositivo ou abra lá o link. Funciona uma única vez.',
    validFor: 'Válido por {time}',
    arrival: 'Continuar aqui a conversa do seu outro dispositivo?',
    linkOver: 'Este link não é mais válido.',
  },
  ja: {
    scan: '別の端末で読み取るか、そこでリンクを開いてください。1回だけ使えます。',
    validFor: '有効期限：あと{time}',
    arrival: '別の端末の会話をここで続けますか？',
    linkOver: 'このリンクは無効になりました。',
  },
  zh: {
    scan: '请用另一台设备扫描，或在那里打开链接。仅可使用一次。',
    validFor: '{time}内有效',
    arrival: '在这里继续另一台设备上的对话吗？',
    linkOver: '此链接已失效。',
  },
  ar: {
    scan: 'امسح الرمز بالجهاز الآخر أو افتح الرابط عليه. يعمل مرة واحدة.',
    validFor: 'صالح لمدة {time}',
    arrival: 'هل تريد متابعة محادثة جهازك الآخر هنا؟',
    linkOver: 'لم يعد هذا الرابط صالحًا.',
  },
  he: {
    scan: 'יש לסרוק במכשיר האחר או לפתוח בו את הקישור. הוא תקף לפעם אחת.',
    validFor: 'בתוקף עוד {time}',
    arrival: 'להמשיך כאן את השיחה מהמכשיר האחר?',
    linkOver: 'הקישור הזה אינו תקף עוד.',
  },
};

export const useTransferWords = () => useChunkWords(languages, transferLabels);
