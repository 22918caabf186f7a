import { useChunkWords } from '../i18n/use-chunk-words.ts';

export const readyMailLabels = {
  offer: 'This takes a while.',
  take: 'E-mail me when ready',
  address: 'Your e-mail address',
  use: 'We’ll write once, when there is an answer or a question for you. You can close this page.',
  confirm: 'E-mail me',
  asked: 'We’ll write to {address} once it’s ready. You can close this page.',
  tooMany: 'No more mail can be asked for today.',
};

type Name = keyof typeof readyMailLabels;

/** The words of this chunk in the other languages, which nobody else has to load. */
const languages: Readonly<Record<string, Record<Name, string>>> = {
  de: {
    offer: 'Das dauert etwas.',
    take: 'Per E-Mail benachrichtigen',
    address: 'Ihre E-Mail-Adresse',
    use: 'Wir schreiben einmal, sobald es eine Antwort oder eine Frage an Sie gibt. Sie können die Seite schließen.',
    confirm: 'Benachrichtigen',
    asked: 'Wir schreiben an {address}, sobald es fertig ist. Sie können die Seite schließen.',
    tooMany: 'Für heute sind keine weiteren E-Mails möglich.',
  },
  fr: {
    offer: 'Cela prend un moment.',
    take: 'Me prévenir par e-mail',
    address: 'Votre adresse e-mail',
    use: 'Nous vous écrirons une seule fois, dès qu’il y aura une réponse ou une question pour vous. Vous pouvez fermer cette page.',
    confirm: 'Me prévenir',
    asked: 'Nous écrirons à {address} dès que ce sera prêt. Vous pouvez fermer cette page.',
    tooMany: 'Plus aucun e-mail ne peut être demandé aujourd’hui.',
  },
  es: {
    offer: 'Esto tarda un poco.',
    take: 'Avisarme por correo',
    address: 'Su correo electrónico',
    use: 'Le escribiremos una sola vez, cuando haya una respuesta o una pregunta para usted. Puede cerrar esta página.',
    confirm: 'Avisarme',
    asked: 'Escribiremos a {address} en cuanto esté listo. Puede cerrar esta página.',
    tooMany: 'Hoy no se pueden pedir más correos.',
  },
  pt: {
    offer: 'Isso vai demorar um pouco.',
    take: 'Avise-me por e-mail',
    address: 'Seu e-mail',
    use: 'Escreveremos uma única vez, quando houver uma resposta ou uma pergunta para você. Você pode fechar esta página.',
    confirm: 'Avise-me',
    asked: 'Escreveremos para {address} assim que estiver pronto. Você pode fechar esta página.',
    tooMany: 'Hoje não é possível pedir mais e-mails.',
  },
  ja: {
    offer: '少し時間がかかります。',
    take: '完了したらメールで通知',
    address: 'メールアドレス',
    use: '回答または確認事項があるときに一度だけメールをお送りします。このページは閉じてもかまいません。',
    confirm: '通知を受け取る',
    asked: '完了したら {address} にメールをお送りします。このページは閉じてもかまいません。',
    tooMany: '本日はこれ以上メールを依頼できません。',
  },
  zh: {
    offer: '这需要一些时间。',
    take: '完成后发邮件通知我',
    address: '您的邮箱地址',
    use: '有答复或需要您回答时，我们只发送一封邮件。您可以关闭此页面。',
    confirm: '通知我',
    asked: '完成后我们会发邮件至 {address}。您可以关闭此页面。',
    tooMany: '今天无法再请求邮件通知。',
  },
  ar: {
    offer: 'سيستغرق هذا بعض الوقت.',
    take: 'راسلني عندما يجهز الرد',
    address: 'بريدك الإلكتروني',
    use: 'سنراسلك مرة واحدة عندما تتوفر إجابة أو سؤال لك. يمكنك إغلاق هذه الصفحة.',
    confirm: 'راسلني',
    asked: 'سنراسلك على {address} عندما يجهز الرد. يمكنك إغلاق هذه الصفحة.',
    tooMany: 'لا يمكن طلب المزيد من الرسائل اليوم.',
  },
  he: {
    offer: 'זה ייקח קצת זמן.',
    take: 'שליחת מייל כשיהיה מוכן',
    address: 'כתובת המייל שלך',
    use: 'נכתוב פעם אחת, כשתהיה תשובה או שאלה אליך. אפשר לסגור את הדף.',
    confirm: 'שליחת מייל',
    asked: 'נכתוב אל {address} כשיהיה מוכן. אפשר לסגור את הדף.',
    tooMany: 'לא ניתן לבקש היום מיילים נוספים.',
  },
};

export const useReadyMailWords = () => useChunkWords(languages, readyMailLabels);
