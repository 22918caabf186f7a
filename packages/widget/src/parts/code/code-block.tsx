import { useEffect, useRef, useState } from 'preact/hooks';
import { CopyButton } from '../../ui/copy-button.tsx';
import { useWidget } from '../../widget-context.ts';
import css from './code-block.css?inline';
import { grammarOf } from './grammar-of.ts';
import type { Token } from './tokenize.ts';

const longestColoured = 20_000;

type Props = { text: string; language: string; open: boolean };

/** A fence: its text at once, and in colours when it has all been said and its language is known. */
function CodeBlock({ text, language, open }: Props) {
  const { label } = useWidget();
  const code = useRef<HTMLElement>(null);
  const [coloured, setColoured] = useState<{ text: string; tokens: Token[] } | null>(null);

  useEffect(() => {
    const grammar = grammarOf(language);
    if (open || !grammar || text.length > longestColoured) return undefined;
    let timer: ReturnType<typeof setTimeout>;
    let unwanted = false;
    import('./colour.ts').then(
      ({ colour }) => {
        // Each in a task of its own: a long conversation has many.
        timer = setTimeout(() => {
          if (!unwanted) setColoured({ text, tokens: colour(code.current!, text, grammar) });
        });
      },
      () => {}, // It is read without colours.
    );
    return () => {
      unwanted = true;
      clearTimeout(timer);
    };
  }, [text, language, open]);

  const name = language || label('code');
  return (
    <div class="code">
      <div class="code-head">
        <span>{name}</span>
        <CopyButton text={text} />
      </div>
      <pre dir="ltr" tabIndex={0} role="group" aria-label={name}>
        <code ref={code}>
          {coloured?.text === text
            ? coloured.tokens.map((token) =>
                token.kind ? <span class={token.kind}>{token.text}</span> : token.text,
              )
            : text}
        </code>
      </pre>
    </div>
  );
}

export { css, CodeBlock as Component };
