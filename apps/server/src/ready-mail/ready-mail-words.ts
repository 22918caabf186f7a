import type { ReadyNews } from './ready-standing.ts';

/** All that a mail says. `{agent}` is the agent's name; nothing else in it is anybody's own words. */
interface Words extends Readonly<Record<ReadyNews, string>> {
  readonly back: string;
  /** Where no link may be given. */
  readonly backByThemselves: string;
  readonly unasked: string;
}

const english: Words = {
  ready: '{agent} has answered',
  asks: '{agent} is waiting for your reply',
  stopped: '{agent} could not finish your request',
  person: 'A person has joined your conversation with {agent}',
  back: 'Go back to the conversation, in the browser in which you began it:',
  backByThemselves: 'Go back to the page on which you began the conversation, in the same browser.',
  unasked: 'You get this one mail because your address was entered there. If that was not you, ignore it.',
};

const languages: Readonly<Record<string, Words>> = {
  en: english,
  de: {
    ready: '{agent} hat geantwortet',
    asks: '{agent} wartet auf Ihre Antwort',
    stopped: '{agent} konnte Ihre Anfrage nicht abschließen',
    person: 'In Ihrer Unterhaltung mit {agent} schreibt Ihnen jetzt ein Mensch',
    back: 'Zurück zur Unterhaltung, in dem Browser, in dem Sie sie begonnen haben:',
    backByThemselves:
      'Gehen Sie im selben Browser auf die Seite zurück, auf der Sie die Unterhaltung begonnen haben.',
    unasked:
      'Sie erhalten diese eine E-Mail, weil dort Ihre Adresse eingegeben wurde. Waren Sie das nicht, können Sie sie ignorieren.',
  },
  fr: {
    ready: '{agent} a répondu',
    asks: '{agent} attend votre réponse',
    stopped: '{agent} n’a pas pu traiter votre demande',
    person: 'Une personne a rejoint votre conversation avec {agent}',
    back: 'Retournez à la conversation, dans le navigateur où vous l’avez commencée :',
    backByThemselves: 'Retournez, dans le même navigateur, à la page où vous avez commencé la conversation.',
    unasked:
      'Vous ne recevez que ce message, parce que votre adresse y a été saisie. Si ce n’est pas vous qui l’avez saisie, ignorez-le.',
  },
  es: {
    ready: '{agent} ha respondido',
    asks: '{agent} espera su respuesta',
    stopped: '{agent} no pudo completar su solicitud',
    person: 'Una persona se ha unido a su conversación con {agent}',
    back: 'Vuelva a la conversación, en el navegador en el que la empezó:',
    backByThemselves: 'Vuelva, en el mismo navegador, a la página en la que empezó la conversación.',
    unasked:
      'Recibe este único correo porque allí se introdujo su dirección. Si no fue usted, no lo tenga en cuenta.',
  },
  pt: {
    ready: '{agent} respondeu',
    asks: '{agent} aguarda sua resposta',
    stopped: '{agent} não conseguiu concluir sua solicitação',
    person: 'Uma pessoa entrou na sua conversa com {agent}',
    back: 'Volte à conversa, no navegador em que você a começou:',
    backByThemselves: 'Volte, no mesmo navegador, à página em que você começou a conversa.',
    unasked:
      'Você recebe este único e-mail porque seu endereço foi informado ali. Se não foi você, ignore-o.',
  },
  ja: {
    ready: '{agent}から回答がありました',
    asks: '{agent}があなたの返信を待っています',
    stopped: '{agent}はご依頼を完了できませんでした',
    person: '{agent}との会話に担当者が加わりました',
    back: '会話を始めたブラウザで、会話に戻ってください：',
    backByThemselves: '会話を始めたページに、同じブラウザで戻ってください。',
    unasked:
      'このメールは、会話の中であなたのアドレスが入力されたため一度だけお送りしています。お心当たりがなければ無視してください。',
  },
  zh: {
    ready: '{agent} 已回复',
    asks: '{agent} 正在等待您的回复',
    stopped: '{agent} 未能完成您的请求',
    person: '工作人员已加入您与 {agent} 的对话',
    back: '请在您开始对话的浏览器中返回对话：',
    backByThemselves: '请在同一浏览器中返回您开始对话的页面。',
    unasked: '因为有人在对话中填写了您的邮箱地址，您会收到这一封邮件。如果不是您本人，请忽略。',
  },
  ar: {
    ready: 'وصلك رد من {agent}',
    asks: '{agent} بانتظار ردك',
    stopped: 'تعذّر على {agent} إكمال طلبك',
    person: 'انضم شخص إلى محادثتك مع {agent}',
    back: 'عُد إلى المحادثة في المتصفح الذي بدأتها فيه:',
    backByThemselves: 'عُد، في المتصفح نفسه، إلى الصفحة التي بدأت فيها المحادثة.',
    unasked: 'تصلك هذه الرسالة الوحيدة لأن عنوان بريدك أُدخل هناك. إن لم تكن أنت من أدخله فتجاهلها.',
  },
  he: {
    ready: 'התקבלה תשובה מ־{agent}',
    asks: 'בצד של {agent} ממתינים לתשובה שלך',
    stopped: 'הבקשה שלך אל {agent} לא הושלמה',
    person: 'אדם הצטרף לשיחה שלך עם {agent}',
    back: 'אפשר לחזור לשיחה, בדפדפן שבו היא התחילה:',
    backByThemselves: 'אפשר לחזור, באותו דפדפן, לדף שבו השיחה התחילה.',
    unasked: 'הודעה אחת זו נשלחה כי הכתובת שלך הוזנה שם. אם לא הזנת אותה, אפשר להתעלם.',
  },
};

/** The language of the widget that stands for a tag, such as `pt` for `pt-BR`. */
export function mailLanguage(tag: string): string {
  const [language = ''] = tag.toLowerCase().split('-');
  return Object.hasOwn(languages, language) ? language : 'en';
}

export function readyMailText(
  news: ReadyNews,
  { agent, language, origin }: { agent: string; language: string; origin: string | null },
): { readonly subject: string; readonly text: string } {
  const words = languages[mailLanguage(language)] ?? english;
  const subject = words[news].replace('{agent}', () => agent);
  const back = origin === null ? [words.backByThemselves] : [words.back, origin];
  return { subject, text: [subject, '', ...back, '', words.unasked].join('\n') };
}
