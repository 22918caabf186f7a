type Style = 'strong' | 'em' | 's';
/** Marks of one kind beside one another, and what begins and ends with them. */
export type Run = {
  type: 'run';
  mark: string;
  length: number;
  left: number;
  opens: boolean;
  closes: boolean;
  intraword: boolean;
  starts: Style[];
  ends: number;
};

const punctuation = /[\p{P}\p{S}]/u;
const space = /\s/;
/** Scripts that set no spaces between words, and their marks: from Thai to Khmer, and from Chinese on. */
const spaceless = /[\u0e00-\u17ff\u2e80-\uffff]/;

export function delimiterRun(source: string, at: number, length: number): Run {
  const mark = source[at]!;
  const before = at === 0 ? ' ' : source[at - 1]!;
  const after = source[at + length] ?? ' ';
  const spaceBefore = space.test(before);
  const spaceAfter = space.test(after);
  const punctuationBefore = punctuation.test(before);
  const punctuationAfter = punctuation.test(after);
  // CommonMark asks for a space beside a mark, where these have none, as in `**注意：**请` and `**注意：**API`.
  const nearSpaceless = spaceless.test(before + after);
  const left = !spaceAfter && (!punctuationAfter || spaceBefore || punctuationBefore || nearSpaceless);
  const right = !spaceBefore && (!punctuationBefore || spaceAfter || punctuationAfter || nearSpaceless);
  const underscore = mark === '_';
  return {
    type: 'run',
    mark,
    length,
    left: length,
    opens: left && (!underscore || !right || punctuationBefore),
    closes: right && (!underscore || !left || punctuationAfter),
    intraword: !spaceBefore && !punctuationBefore,
    starts: [],
    ends: 0,
  };
}

/** The CommonMark delimiter algorithm; `floors` remembers where no opener was found, which keeps it linear. */
export function matchRuns(runs: Run[], bottom: number): void {
  const openers: number[] = [];
  const floors: Record<string, number> = {};
  for (let index = bottom; index < runs.length; index++) {
    const closer = runs[index]!;
    while (closer.closes && closer.left > 0) {
      const floorKey = `${closer.mark}${closer.opens ? 1 : 0}${closer.length % 3}`;
      const floor = floors[floorKey] ?? -1;
      let position = openers.length - 1;
      while (position >= 0 && openers[position]! > floor && !pairs(runs[openers[position]!]!, closer))
        position--;
      if (position < 0 || openers[position]! <= floor) {
        floors[floorKey] = openers.at(-1) ?? floor;
        break;
      }
      openers.length = position + 1;
      const opener = runs[openers[position]!]!;
      const width = closer.mark === '~' ? closer.left : opener.left >= 2 && closer.left >= 2 ? 2 : 1;
      opener.starts.push(closer.mark === '~' ? 's' : width === 2 ? 'strong' : 'em');
      closer.ends++;
      opener.left -= width;
      closer.left -= width;
      if (opener.left === 0) openers.pop();
    }
    if (closer.opens && closer.left > 0) openers.push(index);
  }
}

function pairs(opener: Run, closer: Run): boolean {
  if (opener.mark !== closer.mark || opener.left === 0) return false;
  if (opener.mark === '~') return opener.left === closer.left;
  const oddMatch = (opener.closes || closer.opens) && (opener.length + closer.length) % 3 === 0;
  return !oddMatch || (opener.length % 3 === 0 && closer.length % 3 === 0);
}

/** Shows what is still being written as it will look: open emphasis is closed, a bare marker at the end is held back. */
export function closeRuns(runs: readonly Run[], last: unknown): void {
  for (const run of runs) {
    if (run.left === 0) continue;
    if (run === last) {
      if (!run.intraword || run.opens || run.length > 1 || run.closes) run.left = 0;
    } else if (run.opens && (run.left > 1 || !run.intraword) && !(run.mark === '~' && run.left === 1)) {
      for (; run.left > 0; run.left -= run.left > 1 ? 2 : 1)
        run.starts.push(run.mark === '~' ? 's' : run.left > 1 ? 'strong' : 'em');
    }
  }
}
