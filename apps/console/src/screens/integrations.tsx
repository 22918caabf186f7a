import { linkTo } from '../router.ts';
import { Page } from '../ui/page.tsx';

export const Integrations = () => (
  <Page title="Integrations" trail={[{ name: 'Settings' }]} lead="Where your agents can be reached.">
    <h2 class="section">Channels</h2>
    <ul class="cards">
      <li>
        <a class="card channel" href={linkTo('agents')}>
          <span class="agent-name">Website</span>
          <span class="meta">The widget on your pages, with a publishable key for each agent.</span>
        </a>
      </li>
      <li>
        <a class="card channel" href={linkTo('integrations', 'channels', 'api')}>
          <span class="agent-name">API</span>
          <span class="meta">Your servers ask an agent with a secret key.</span>
        </a>
      </li>
    </ul>
  </Page>
);
