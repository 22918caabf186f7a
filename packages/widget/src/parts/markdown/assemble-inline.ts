import type { Run } from './emphasis.ts';

export type Inline =
  | { type: 'text'; text: string }
  | { type: 'code'; text: string }
  | { type: 'break' }
  | { type: 'strong' | 'em' | 's'; children: Inline[] }
  /** Where it leads, as it was written: nobody has looked whether that is safe. Null while that is still being written. */
  | { type: 'link'; destination: string | null; children: Inline[] }
  | { type: 'image'; destination: string | null; alt: string };

export type Bracket = {
  type: 'bracket';
  image: boolean;
  runs: number;
  link: { destination: string | null } | null;
  hidden: boolean;
};
export type Token = Inline | Run | Bracket | { type: 'end' };

const maximumDepth = 20;

/** The tree that the tokens of a text make. */
export function assembleInline(tokens: Token[]): Inline[] {
  const root: Inline[] = [];
  const stack: Inline[][] = [root];
  /** What each level will become when it ends; deeper than the cap, levels are counted but not made. */
  const pending: ((children: Inline[]) => Inline)[] = [];
  let skipped = 0;
  let links = 0;

  const enter = (finish: (children: Inline[]) => Inline) => {
    if (stack.length > maximumDepth) {
      skipped++;
      return;
    }
    stack.push([]);
    pending.push(finish);
  };
  const leave = () => {
    if (skipped > 0) {
      skipped--;
      return;
    }
    const finish = pending.pop();
    if (finish) add(finish(stack.pop()!));
  };
  const add = (node: Inline) => {
    const list = stack.at(-1)!;
    const previous = list.at(-1);
    if (node.type === 'text' && previous?.type === 'text') previous.text += node.text;
    else list.push(node);
  };

  for (const token of tokens) {
    switch (token.type) {
      case 'run':
        for (let count = token.ends; count > 0; count--) leave();
        if (token.left > 0) add({ type: 'text', text: token.mark.repeat(token.left) });
        for (const type of token.starts.toReversed()) enter((children) => ({ type, children }));
        break;
      case 'bracket': {
        const { link, image } = token;
        if (link === null) {
          if (!token.hidden) add({ type: 'text', text: image ? '![' : '[' });
        } else if (image) enter((children) => ({ type: 'image', ...link, alt: plainText(children) }));
        else {
          if (stack.length <= maximumDepth) links++;
          enter((children) => {
            links--;
            return { type: 'link', ...link, children };
          });
        }
        break;
      }
      case 'end':
        leave();
        break;
      case 'link':
        // A link's own text is not a link again.
        if (links > 0) for (const child of token.children) add(child);
        else add(token);
        break;
      default:
        add(token);
    }
  }
  while (pending.length > 0) {
    skipped = 0;
    leave();
  }
  return root;
}

export function plainText(nodes: Inline[]): string {
  let text = '';
  for (const node of nodes) {
    if (node.type === 'text' || node.type === 'code') text += node.text;
    else if (node.type === 'image') text += node.alt;
    else if (node.type === 'break') text += '\n';
    else text += plainText(node.children);
  }
  return text;
}
