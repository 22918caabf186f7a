interface Phrases {
  /** Stands before quotes. */
  readonly quoted: string;
  readonly nothing: string;
}

const english: Phrases = {
  quoted: 'I can only quote what I have read. This fits best:',
  nothing: 'I can only quote what I have read, and I found nothing about that.',
};

/** The languages of the widget, each with what tells it in a question: its script, or words that others do not have. */
const languages: readonly { readonly tells: RegExp; readonly phrases: Phrases }[] = [
  {
    tells: /[\p{Script=Hiragana}\p{Script=Katakana}]/u,
    phrases: {
      quoted: '読んだ内容をそのまま引用することしかできません。最も近い箇所は次のとおりです。',
      nothing: '読んだ内容を引用することしかできませんが、それについては何も見つかりませんでした。',
    },
  },
  {
    tells: /\p{Script=Han}/u,
    phrases: {
      quoted: '我只能引用读过的内容。最相关的是：',
      nothing: '我只能引用读过的内容，没有找到与此相关的信息。',
    },
  },
  {
    tells: /\p{Script=Arabic}/u,
    phrases: {
      quoted: 'لا يمكنني سوى الاقتباس مما قرأته. هذا هو الأقرب:',
      nothing: 'لا يمكنني سوى الاقتباس مما قرأته، ولم أجد شيئًا عن ذلك.',
    },
  },
  {
    tells: /\p{Script=Hebrew}/u,
    phrases: {
      quoted: 'אני יכול רק לצטט ממה שקראתי. זה המתאים ביותר:',
      nothing: 'אני יכול רק לצטט ממה שקראתי, ולא מצאתי על כך דבר.',
    },
  },
  {
    tells:
      /[äöüß]|\b(?:wie|was|wer|wo|wann|warum|ich|ist|sind|der|die|das|und|nicht|kann|gibt|ein|eine|mein|meine)\b/iu,
    phrases: {
      quoted: 'Ich kann nur zitieren, was ich gelesen habe. Am besten passt:',
      nothing: 'Ich kann nur zitieren, was ich gelesen habe, und habe dazu nichts gefunden.',
    },
  },
  {
    tells: /[¿¡ñ]|\b(?:cómo|qué|cuándo|dónde|cuál|puedo|el|los|las|mi|está|hay|para mí)\b/iu,
    phrases: {
      quoted: 'Solo puedo citar lo que he leído. Lo que mejor encaja:',
      nothing: 'Solo puedo citar lo que he leído y no he encontrado nada sobre eso.',
    },
  },
  {
    tells: /[ãõ]|\b(?:como posso|quando|onde|qual|você|meu|minha|não|são|uma|quais)\b/iu,
    phrases: {
      quoted: 'Só posso citar o que li. O que mais se aproxima:',
      nothing: 'Só posso citar o que li e não encontrei nada sobre isso.',
    },
  },
  {
    tells: /[œçêè]|\b(?:comment|quand|où|quel|quelle|est-ce|je|puis|le|les|mon|ma|une|et)\b/iu,
    phrases: {
      quoted: 'Je ne peux que citer ce que j’ai lu. Voici ce qui convient le mieux :',
      nothing: 'Je ne peux que citer ce que j’ai lu, et je n’ai rien trouvé à ce sujet.',
    },
  },
];

const englishWords = /\b(?:how|what|who|where|when|why|the|is|are|do|does|can|my)\b/i;

/** In the language that a question seems to be asked in; English where it does not tell. */
export function phrasesFor(question: string): Phrases {
  const found = languages.find(({ tells }) => tells.test(question));
  if (!found || (englishWords.test(question) && !/\P{ASCII}/u.test(question))) return english;
  return found.phrases;
}
