interface ProposalWords {
  readonly greeting: (name: string) => string;
  readonly prompt: (topic: string) => string;
}

const english: ProposalWords = {
  greeting: (name) => `Hi! What would you like to know about ${name}?`,
  prompt: (topic) => `What can you tell me about “${topic}”?`,
};

/** The languages of the widget. */
const languages: Readonly<Record<string, ProposalWords>> = {
  en: english,
  de: {
    greeting: (name) => `Hallo! Was möchten Sie über ${name} wissen?`,
    prompt: (topic) => `Was können Sie mir zu „${topic}“ sagen?`,
  },
  es: {
    greeting: (name) => `¡Hola! ¿Qué le gustaría saber sobre ${name}?`,
    prompt: (topic) => `¿Qué me puede decir sobre «${topic}»?`,
  },
  fr: {
    greeting: (name) => `Bonjour ! Que souhaitez-vous savoir sur ${name} ?`,
    prompt: (topic) => `Que pouvez-vous me dire sur « ${topic} » ?`,
  },
  pt: {
    greeting: (name) => `Olá! O que gostaria de saber sobre ${name}?`,
    prompt: (topic) => `O que me pode dizer sobre “${topic}”?`,
  },
  ja: {
    greeting: (name) => `こんにちは！${name}について何でもお尋ねください。`,
    prompt: (topic) => `「${topic}」について教えてください。`,
  },
  zh: {
    greeting: (name) => `您好！想了解${name}的哪些信息？`,
    prompt: (topic) => `请介绍一下“${topic}”。`,
  },
  ar: {
    greeting: (name) => `مرحبًا! ماذا تود أن تعرف عن ${name}؟`,
    prompt: (topic) => `ماذا يمكنك أن تخبرني عن «${topic}»؟`,
  },
  he: {
    greeting: (name) => `שלום! מה תרצו לדעת על ${name}?`,
    prompt: (topic) => `מה אפשר לספר לי על «${topic}»?`,
  },
};

/** What an agent says in a language such as `de-CH`; English where it is none of the widget's. */
export const proposalWords = (language: string | null): ProposalWords =>
  languages[language?.toLowerCase().split('-', 1)[0] ?? 'en'] ?? english;
