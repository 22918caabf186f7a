import type { AgentProposal } from '@parley/protocol/settings/website';
import type { Egress } from '../../egress/egress.ts';
import type { WebsiteFace } from '../extract/website-face.ts';
import type { Extractor } from '../extract/extractor.ts';
import { type FetchedPage, fetchPage, userAgent } from './fetch-page.ts';
import { promptsOf } from './prompts-of.ts';
import { proposalWords } from './proposal-words.ts';
import { readRobots } from './read-robots.ts';

const defaultAccent = '#2563eb';
const maxName = 60;
/** What stands between the name of a website and what it says of itself. */
const separator = /\s+[|–—·•:»-]\s+|\s*[|›]\s*/;

interface ProposeDeps {
  readonly egress: Pick<Egress, 'request'>;
  readonly extractor: Pick<Extractor, 'run'>;
  /** Whose calls these are: one of them waits for its own, and for nobody else's. */
  readonly caller: string;
  readonly signal: AbortSignal;
}

/** What an agent for a website could be like, by what its home page says and looks like. */
export async function proposeAgent(url: string, deps: ProposeDeps): Promise<AgentProposal> {
  const read = await readFace(url, deps);
  if ('problem' in read) return proposal(url, null, null, read.problem);
  const { address, face } = read;
  const accent = await deps.extractor.run(deps.caller, 'accent', await colours(address, face, deps));
  return proposal(address, face, 'found' in accent ? accent.found : null, null);
}

const fetched = (
  url: string,
  { egress, caller, signal }: ProposeDeps,
  { isText = false } = {},
): Promise<FetchedPage> =>
  fetchPage(egress, {
    tenantId: caller,
    url,
    version: null,
    accept: '*/*',
    isText,
    signal,
    follows: () => true,
  });

async function readFace(url: string, deps: ProposeDeps) {
  const robots = await readRobots(url, (address) => fetched(address, deps, { isText: true }));
  if ('problem' in robots) return robots;
  if (robots.isDisallowed(url, userAgent) === true)
    return { problem: 'Its robots.txt asks not to read this page.' };
  const page = await fetched(url, deps);
  if (page.outcome !== 'page')
    return { problem: page.outcome === 'problem' ? page.message : 'The address answered 304.' };
  if (!/^(?:text\/html|application\/xhtml\+xml)$/.test(page.mediaType))
    return { problem: `It is no page: its type is ${page.mediaType}.` };
  const outcome = await deps.extractor.run(deps.caller, 'face', { html: page.text, address: page.address });
  return 'problem' in outcome ? outcome : { address: page.address, face: outcome.found };
}

/** All that says something about the colour of a website, its manifest and style sheets read at once. */
async function colours(
  address: string,
  { declared, manifest, styleSheets, css }: WebsiteFace,
  deps: ProposeDeps,
) {
  const [described, ...sheets] = await Promise.all([
    manifest === null ? null : fetched(manifest, deps),
    ...styleSheets.map((sheet) => fetched(sheet, deps)),
  ]);
  const texts = sheets.map((sheet) => (sheet?.outcome === 'page' ? sheet.text : ''));
  return {
    declared: [...declared, ...(described?.outcome === 'page' ? themeColour(described.text) : [])],
    css: [css, ...texts].join('\n'),
  };
}

function themeColour(manifest: string): string[] {
  const found = /"theme_color"\s*:\s*"([^"]{1,60})"/.exec(manifest)?.[1];
  return found === undefined ? [] : [found];
}

function proposal(
  address: string,
  face: WebsiteFace | null,
  accent: string | null,
  problem: string | null,
): AgentProposal {
  const host = new URL(address).hostname.replace(/^www\./, '');
  const name = (face && nameOf(face, host)) || host.slice(0, maxName);
  const language = face?.language ?? null;
  const description = face?.description ?? '';
  return {
    address,
    name,
    instructions: [
      `You answer questions of visitors of ${name} (${address}).`,
      ...(description === '' ? [] : [`What the website says of itself: ${description}`]),
      'Answer from what you know about the website, briefly and kindly, in the language of the visitor. Where it says nothing, say so, and do not guess.',
    ].join('\n\n'),
    language,
    accent: accent ?? defaultAccent,
    greeting: proposalWords(language).greeting(name),
    prompts: [
      ...promptsOf(
        (face?.topics ?? []).map((title) => ({ title, headings: [] })),
        language,
      ),
    ],
    problem,
  };
}

/** As the website calls itself: else the part of its title that is most like its host, or the shortest one. */
function nameOf({ siteName, title }: WebsiteFace, host: string): string {
  if (siteName !== '') return siteName.slice(0, maxName).toWellFormed();
  const parts = title.split(separator).filter((part) => part.trim() !== '');
  const letters = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
  const isOfHost = (part: string) => letters(part) !== '' && letters(host).includes(letters(part));
  const shortest = parts.toSorted((one, other) => one.length - other.length)[0] ?? '';
  return (parts.find(isOfHost) ?? shortest).slice(0, maxName).toWellFormed().trim();
}
