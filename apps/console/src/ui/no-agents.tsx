import { isAtLeast } from '../api/member.ts';
import { linkTo } from '../router.ts';
import { Empty } from './empty.tsx';

/** In a room that has nothing to show before there is an agent. */
export const NoAgents = ({ why }: { readonly why: string }) => (
  <Empty icon="agents" title="There is no agent yet">
    <p class="lead">{why}</p>
    {isAtLeast('admin') ? (
      <a class="button primary" href={linkTo('start')}>
        New agent
      </a>
    ) : (
      <p class="hint">An admin of your organisation can create one.</p>
    )}
  </Empty>
);
