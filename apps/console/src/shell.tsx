import { roleNames } from './ui/role-name.ts';
import type { ComponentChildren } from 'preact';
import { chooseTenant, isAtLeast, member, tenant, tenants } from './api/member.ts';
import { linkTo, path } from './router.ts';
import { Icon, type IconName } from './ui/icon.tsx';
import { useCurrentInView } from './ui/use-current-in-view.ts';

interface Entry {
  readonly to: string;
  readonly name: string;
  readonly icon: IconName;
}

const work: readonly Entry[] = [
  { to: 'inbox', name: 'Inbox', icon: 'inbox' },
  { to: 'contacts', name: 'Contacts', icon: 'contacts' },
  { to: 'agents', name: 'Agents', icon: 'agents' },
  { to: 'tools', name: 'Tools', icon: 'tools' },
  { to: 'conversations', name: 'Conversations', icon: 'conversations' },
  { to: 'usage', name: 'Usage', icon: 'usage' },
];

/** What stands around every screen: where one is, and for whom. */
export function Shell({ children }: { readonly children: ComponentChildren }) {
  const [entered = 'agents'] = path.value;
  // An agent of a website is begun in a room of its own.
  const first = entered === 'start' ? 'agents' : entered;
  const row = useCurrentInView(first);
  const settings: Entry[] = [
    { to: 'integrations', name: 'Integrations', icon: 'integrations' },
    ...(isAtLeast('owner') ? [{ to: 'members', name: 'Members', icon: 'members' } as const] : []),
    ...(isAtLeast('admin') ? [{ to: 'changes', name: 'Change log', icon: 'changes' } as const] : []),
    { to: 'account', name: 'Your account', icon: 'account' },
  ];
  const link = ({ to, name, icon }: Entry) => (
    <li key={to}>
      <a href={linkTo(to)} aria-current={first === to ? 'page' : undefined}>
        <Icon name={icon} />
        {name}
      </a>
    </li>
  );
  return (
    <div class="shell">
      <header class="sidebar">
        <a class="skip" href="#content" onClick={skip}>
          Skip to the content
        </a>
        <p class="brand">
          <span class="mark" aria-hidden="true" />
          Parley
        </p>
        <TenantChoice />
        <nav aria-label="Console" ref={row}>
          <ul>{work.map(link)}</ul>
          <h2 id="settings-heading">Settings</h2>
          <ul aria-labelledby="settings-heading">{settings.map(link)}</ul>
        </nav>
        <p class="who">
          {member.value?.name}
          <span>{member.value && roleNames[member.value.role]}</span>
        </p>
      </header>
      <main id="content" tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}

/** A fragment is a screen here, so the browser cannot do it. */
function skip(event: Event): void {
  event.preventDefault();
  document.getElementById('content')?.focus();
}

function TenantChoice() {
  if (tenants.value.length < 2) return tenant.value && <p class="tenant">{tenant.value.name}</p>;
  return (
    <label class="tenant">
      <span class="hidden">Organisation</span>
      <select
        value={tenant.value?.id ?? ''}
        onInput={({ currentTarget }) => chooseTenant(currentTarget.value)}
      >
        {tenants.value.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
