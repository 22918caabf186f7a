import { benchFirstText } from './first-text.ts';
import { benchInbox } from './inbox.ts';
import { benchKnowledge } from './knowledge.ts';
import { benchLargest } from './largest.ts';
import { benchLists } from './lists.ts';
import { benchLong } from './long.ts';
import { benchProcesses } from './processes.ts';
import { benchReady } from './ready.ts';
import { benchSoak } from './soak.ts';
import { benchStore } from './store.ts';
import { benchStreams } from './streams.ts';
import { benchTurn } from './turn.ts';
import { benchRestore, benchWidget } from './widget.ts';

const benches: Record<string, () => Promise<void>> = {
  turn: benchTurn,
  'first-text': benchFirstText,
  long: benchLong,
  streams: benchStreams,
  ready: benchReady,
  store: benchStore,
  knowledge: benchKnowledge,
  inbox: benchInbox,
  lists: benchLists,
  processes: benchProcesses,
  largest: benchLargest,
  widget: benchWidget,
};

/** Only by their names: one takes twenty minutes, the other is a part of another bench, more often. */
const named: Record<string, () => Promise<void>> = { soak: benchSoak, restore: benchRestore };

const [name] = process.argv.slice(2);
const known = { ...benches, ...named };
if (name !== undefined && !Object.hasOwn(known, name)) {
  process.stderr.write(`There is no bench ${name}. There are: ${Object.keys(known).join(', ')}.\n`);
  process.exit(1);
}
for (const bench of name === undefined ? Object.values(benches) : [known[name]!]) await bench();
