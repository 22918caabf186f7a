import { proposalWords } from './proposal-words.ts';

/** Prompts that a panel shows. */
const most = 4;
const longestQuestion = 100;
const longestTopic = 60;
/** What stands between the name of a page and that of its website. */
const separator = /\s+[|–—·•»:-]\s+|\s*[|›]\s*/;
/** Share of the pages whose titles hold the same words beyond which these are the name of the website. */
const nameShare = 0.4;
/** Pages that every website has and nobody asks for. */
const formal =
  /\b(?:home|menu|search|login|log in|sign in|sign up|register|account|cart|checkout|404|not found|cookies?|privacy|terms|legal|imprint|sitemap|impressum|datenschutz\w*|agb|startseite|anmelden|warenkorb|suche|inicio|buscar|aviso legal|privacidad|accueil|mentions légales|confidentialité|connexion|panier|início|termos)\b|ホーム|プライバシー|利用規約|首页|隐私|登录|条款/iu;

/** A page: its title, and the headings in it. */
export interface Outline {
  readonly title: string;
  readonly headings: readonly string[];
}

/** What visitors may want to ask: the questions that pages answer, and then their topics. One of each page first. */
export function promptsOf(outlines: readonly Outline[], language: string | null): readonly string[] {
  const names = websiteNames(outlines);
  const asked = outlines.map(({ title, headings }) => [title, ...headings].filter(isQuestion));
  const topics = outlines
    .map(({ title }) => topicOf(title, names))
    .filter(
      (topic) => topic !== '' && topic.length <= longestTopic && !formal.test(topic) && !isQuestion(topic),
    );
  const { prompt } = proposalWords(language);
  const first = asked.flatMap((questions) => questions.slice(0, 1));
  const others = asked.flatMap((questions) => questions.slice(1));
  return [...new Set([...first.slice(0, most - 1), ...topics.map(prompt), ...first, ...others])].slice(
    0,
    most,
  );
}

const isQuestion = (text: string) =>
  /[?？؟]$/.test(text) && text.length > 6 && text.length <= longestQuestion;

/** The parts of titles that many pages have in common. */
function websiteNames(outlines: readonly Outline[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const { title } of outlines)
    for (const part of new Set(title.split(separator))) counts.set(part, (counts.get(part) ?? 0) + 1);
  return new Set(
    [...counts].flatMap(([part, count]) => (count > 1 && count >= outlines.length * nameShare ? [part] : [])),
  );
}

const topicOf = (title: string, names: ReadonlySet<string>) =>
  title
    .split(separator)
    .filter((part) => !names.has(part))
    .slice(0, 1)
    .join('')
    .trim();
