import type { Source } from '@parley/protocol/event';
import { useWidget } from '../../widget-context.ts';
import { safeUrl } from '../markdown/safe-url.ts';
import { escapeInvisible } from '@parley/protocol/escape-invisible';

export { default as css } from './sources.css?inline';

/** What an answer cites, each under the number that it is cited by. */
function Sources({ sources }: { sources: readonly Source[] }) {
  const { label } = useWidget();
  return (
    <ul class="sources meta" aria-label={label('sources')}>
      {sources.map(({ number, title, url }) => {
        const target = url === undefined ? null : safeUrl(url);
        const text = (
          <>
            <span class="source-number">{number}</span> <bdi>{escapeInvisible(title)}</bdi>
          </>
        );
        return (
          <li key={number}>
            {target ? (
              <a href={target.href} target="_blank" rel="noopener noreferrer" title={target.href}>
                {text}
              </a>
            ) : (
              <span>{text}</span>
            )}
          </li>
        );
      })}
    </ul>
  );
}

export { Sources as Component };
