import { benchFirstText } from './first-text.ts';
import { benchLargest } from './largest.ts';
import { benchLong } from './long.ts';
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
  largest: benchLargest,
  widget: benchWidget,
};

/** Only by its name: it takes twenty minutes. */
const long: Record<string, () => Promise<void>> = { soak: benchSoak };

const [name] = process.argv.slice(2);
const chosen = name === undefined ? Object.values(benches) : [benches[name] ?? long[name]];
for (const bench of chosen) {
  if (!bench)
    throw new Error(
      `There is no bench ${name}. There are: ${Object.keys({ ...benches, ...long }).join(', ')}.`,
    );
  await bench();
}
