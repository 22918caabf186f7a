/** What whoever signs in reads. `{firm}`, `{name}` and `{host}` stand for what is shown there. */
interface SignInWords {
  readonly signedIn: string;
  readonly goBack: string;
  readonly failed: string;
  readonly tryAgain: string;
  readonly ask: string;
  readonly why: string;
  readonly caution: string;
  readonly goOn: string;
  readonly close: string;
  readonly over: string;
  readonly tooMany: string;
}

/** In the languages of the widget; the first one stands for all others. */
export const signInWords = {
  en: {
    signedIn: 'You are signed in',
    goBack: 'Close this page and go back to the chat. It goes on by itself.',
    failed: 'That did not work',
    tryAgain: 'Go back to where you began, and try again there.',
    ask: 'Sign in to {name}',
    why: 'The chat of {firm} would like to use your account at {host}, to answer what you ask there.',
    caution: 'Go on only if you have just asked for this in the chat yourself.',
    goOn: 'Go on to sign in',
    close: 'You can close this page instead; nothing is shared then.',
    over: 'This address is not good any more. Go back to the chat and ask once more.',
    tooMany: 'Too many tries. Wait ten minutes.',
  },
  de: {
    signedIn: 'Sie sind angemeldet',
    goBack: 'Schließen Sie diese Seite und gehen Sie zurück zum Chat. Er geht von selbst weiter.',
    failed: 'Das hat nicht geklappt',
    tryAgain: 'Gehen Sie dorthin zurück, wo Sie begonnen haben, und versuchen Sie es dort noch einmal.',
    ask: 'Bei {name} anmelden',
    why: 'Der Chat von {firm} möchte Ihr Konto bei {host} verwenden, um Ihre Fragen dort zu beantworten.',
    caution: 'Fahren Sie nur fort, wenn Sie im Chat gerade selbst darum gebeten haben.',
    goOn: 'Weiter zur Anmeldung',
    close: 'Sie können diese Seite auch schließen; dann wird nichts geteilt.',
    over: 'Diese Adresse gilt nicht mehr. Gehen Sie zurück zum Chat und fragen Sie noch einmal.',
    tooMany: 'Zu viele Versuche. Warten Sie zehn Minuten.',
  },
  fr: {
    signedIn: 'Connexion réussie',
    goBack: 'Fermez cette page et revenez au chat. Il continue tout seul.',
    failed: 'Cela n’a pas fonctionné',
    tryAgain: 'Revenez là où vous avez commencé et réessayez.',
    ask: 'Se connecter à {name}',
    why: 'Le chat de {firm} souhaite utiliser votre compte chez {host} pour répondre à ce que vous y demandez.',
    caution: 'Ne continuez que si vous venez de le demander vous-même dans le chat.',
    goOn: 'Continuer vers la connexion',
    close: 'Vous pouvez aussi fermer cette page\u00a0; rien n’est alors partagé.',
    over: 'Cette adresse n’est plus valable. Revenez au chat et demandez encore une fois.',
    tooMany: 'Trop de tentatives. Attendez dix minutes.',
  },
  es: {
    signedIn: 'Ha iniciado sesión',
    goBack: 'Cierre esta página y vuelva al chat. Continúa por sí solo.',
    failed: 'No ha funcionado',
    tryAgain: 'Vuelva a donde empezó e inténtelo de nuevo allí.',
    ask: 'Iniciar sesión en {name}',
    why: 'El chat de {firm} quiere usar su cuenta en {host} para responder a lo que pregunta allí.',
    caution: 'Continúe solo si acaba de pedirlo usted en el chat.',
    goOn: 'Continuar para iniciar sesión',
    close: 'También puede cerrar esta página; entonces no se comparte nada.',
    over: 'Esta dirección ya no es válida. Vuelva al chat y pregunte otra vez.',
    tooMany: 'Demasiados intentos. Espere diez minutos.',
  },
  pt: {
    signedIn: 'Sessão iniciada',
    goBack: 'Feche esta página e volte ao chat. Ele continua sozinho.',
    failed: 'Não funcionou',
    tryAgain: 'Volte para onde começou e tente de novo.',
    ask: 'Entrar em {name}',
    why: 'O chat de {firm} gostaria de usar a sua conta em {host} para responder ao que pergunta lá.',
    caution: 'Continue apenas se você acabou de pedir isso no chat.',
    goOn: 'Continuar para entrar',
    close: 'Você também pode fechar esta página; nesse caso, nada é compartilhado.',
    over: 'Este endereço não é mais válido. Volte ao chat e pergunte mais uma vez.',
    tooMany: 'Muitas tentativas. Espere dez minutos.',
  },
  ar: {
    signedIn: 'تم تسجيل دخولك',
    goBack: 'أغلق هذه الصفحة وعُد إلى المحادثة. ستتابع من تلقاء نفسها.',
    failed: 'لم ينجح ذلك',
    tryAgain: 'عُد إلى حيث بدأت وحاول مرة أخرى هناك.',
    ask: 'تسجيل الدخول إلى {name}',
    why: 'تريد محادثة {firm} استخدام حسابك لدى {host} للإجابة عما تسأل عنه هناك.',
    caution: 'تابع فقط إذا كنت قد طلبت ذلك بنفسك للتو في المحادثة.',
    goOn: 'المتابعة إلى تسجيل الدخول',
    close: 'يمكنك إغلاق هذه الصفحة بدلاً من ذلك، ولن تتم مشاركة أي شيء.',
    over: 'لم يعد هذا العنوان صالحًا. عُد إلى المحادثة واسأل مرة أخرى.',
    tooMany: 'محاولات كثيرة جدًا. انتظر عشر دقائق.',
  },
  he: {
    signedIn: 'נכנסת לחשבון',
    goBack: 'אפשר לסגור את הדף ולחזור לצ׳אט. הוא ימשיך מעצמו.',
    failed: 'זה לא הצליח',
    tryAgain: 'יש לחזור למקום שבו התחלת ולנסות שוב.',
    ask: 'כניסה אל {name}',
    why: 'הצ׳אט של {firm} מבקש להשתמש בחשבון שלך אצל {host} כדי לענות על מה ששאלת שם.',
    caution: 'יש להמשיך רק אם ביקשת זאת בעצמך זה עתה בצ׳אט.',
    goOn: 'המשך לכניסה',
    close: 'אפשר גם לסגור את הדף, ואז שום דבר לא ישותף.',
    over: 'הכתובת הזאת כבר אינה בתוקף. יש לחזור לצ׳אט ולשאול שוב.',
    tooMany: 'יותר מדי ניסיונות. יש להמתין עשר דקות.',
  },
  ja: {
    signedIn: 'ログインしました',
    goBack: 'このページを閉じてチャットに戻ってください。続きは自動的に始まります。',
    failed: 'うまくいきませんでした',
    tryAgain: '元の場所に戻って、もう一度お試しください。',
    ask: '{name} にログイン',
    why: '{firm} のチャットが、ご質問にお答えするため、{host} のアカウントの使用を求めています。',
    caution: 'ご自身がチャットで今これを求めた場合にのみ、先へ進んでください。',
    goOn: 'ログインへ進む',
    close: 'このページを閉じれば、何も共有されません。',
    over: 'このアドレスはもう使えません。チャットに戻って、もう一度お尋ねください。',
    tooMany: '試行回数が多すぎます。10 分お待ちください。',
  },
  zh: {
    signedIn: '您已登录',
    goBack: '请关闭此页面并返回聊天，聊天会自动继续。',
    failed: '未能成功',
    tryAgain: '请返回开始的地方重试。',
    ask: '登录 {name}',
    why: '{firm} 的聊天希望使用您在 {host} 的账户，以回答您在那里提出的问题。',
    caution: '只有当您刚刚在聊天中亲自提出请求时，才继续操作。',
    goOn: '继续登录',
    close: '您也可以关闭此页面，这样不会共享任何内容。',
    over: '此地址已失效。请返回聊天再问一次。',
    tooMany: '尝试次数过多。请等待十分钟。',
  },
} as const satisfies Record<string, SignInWords>;

export type SignInLanguage = keyof typeof signInWords;
