import { benchFirstText } from './first-text.ts';
import { benchInbox } from './inbox.ts';
import { benchKnowledge } from './knowledge.ts';
import { benchLargest } from './largest.ts';
import { benchLong } from './long.ts';
import { benchProcesses } from './processes.ts';
import { benchReady } from './ready.ts';
import { benchSoak } from './soak.ts';
import { benchStore } from './store.ts';
import { benchStreams } from './streams.ts';
import { benchTurn } from './turn.ts';
import { benchWidget } from './widget.ts';

const benches: Record<string, () => Promise<void>> = {
  turn: benchTurn,
  'first-text': benchFirstText,
  long: benchLong,
  streams: benchStreams,
  ready: benchReady,
  store: benchStore,
  knowledge: benchKnowledge,
  inbox: benchInbox,
  processes: benchProcesses,
  largest: benchLargest,
  widget: benchWidget,
};

/** Only by its name: it takes twenty minutes. */
const long: Record<string, () => Promise<void>> = { soak: benchSoak };

const [name] = process.argv.slice(2);
const known = { ...benches, ...long };
if (name !== undefined && !Object.hasOwn(known, name)) {
  process.stderr.write(`There is no bench ${name}. There are: ${Object.keys(known).join(', ')}.\n`);
  process.exit(1);
}
for (const bench of name === undefined ? Object.values(benches) : [known[name]!]) await bench();
