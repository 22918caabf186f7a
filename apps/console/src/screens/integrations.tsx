import { tenant } from '../api/member.ts';
import { ConnectionList } from '../connections/connection-list.tsx';
import { linkTo } from '../router.ts';
import { Page } from '../ui/page.tsx';

export const Integrations = () => (
  <Page
    title="Integrations"
    trail={[{ name: 'Settings' }]}
    lead="Where your agents can be reached, and what they can reach."
  >
    <section>
      <h2 class="section">Channels</h2>
      <ul class="cards">
        <li>
          <a class="card channel" href={linkTo('agents')}>
            <span class="agent-name">Website widget</span>
            <span class="meta">The widget on your pages, with a publishable key for each agent.</span>
          </a>
        </li>
        <li>
          <a class="card channel" href={linkTo('integrations', 'channels', 'api')}>
            <span class="agent-name">API</span>
            <span class="meta">Keys for servers and pages, a first request, and how the widget looks.</span>
          </a>
        </li>
      </ul>
    </section>
    <section>
      <h2 class="section">Your own systems</h2>
      <ul class="cards">
        <li>
          <a class="card channel" href={linkTo('integrations', 'webhooks')}>
            <span class="agent-name">Webhooks</span>
            <span class="meta">Tell a CRM or a ticket system what happens in conversations.</span>
          </a>
        </li>
      </ul>
    </section>
    <section>
      <h2 class="section">Connected services</h2>
      {tenant.value ? (
        <ConnectionList key={tenant.value.id} tenantId={tenant.value.id} />
      ) : (
        <p class="lead">Create an agent first: a connection belongs to one.</p>
      )}
    </section>
  </Page>
);
