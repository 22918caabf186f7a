import { linkTo } from '../router.ts';
import { isAtLeast } from '../api/member.ts';
import { Failed } from '../ui/failed.tsx';
import { Page } from '../ui/page.tsx';
import { ProposedAgent } from './proposed-agent.tsx';
import { WebsiteField } from './website-field.tsx';

/** From a website's address to an agent on its pages. */
export function Start({ agentId }: { readonly agentId: string | undefined }) {
  if (!isAtLeast('admin'))
    return (
      <Failed trail={[{ name: 'Agents', href: linkTo('agents') }]}>
        Your role does not include this. An owner can change it.
      </Failed>
    );
  if (agentId !== undefined) return <ProposedAgent key={agentId} id={agentId} />;
  return (
    <Page
      title="New agent"
      trail={[{ name: 'Agents', href: linkTo('agents') }]}
      lead="It reads your website and answers from it. You see everything before visitors do."
    >
      <section class="card narrow">
        <WebsiteField />
        <p class="meta">
          No website? <a href={linkTo('agents', 'new')}>Start without one</a>.
        </p>
      </section>
    </Page>
  );
}
