import { maxContactValue } from '@parley/protocol/settings/pipeline';
import type { KeyPrincipal } from '../../auth/principal.ts';
import type { Contacts } from '../../contact/contacts.ts';
import { isDraftId } from '../../settings/draft-id.ts';

/**
 * Makes a visitor who has proved who they are a contact, or notes that they were there. The turn that follows finds it. Nobody
 * becomes one by what they type, nor by trying out a draft.
 */
export async function noteVisitor(
  { contacts }: { readonly contacts: Pick<Contacts, 'seen'> },
  { owner: { tenantId, agentId }, agent, visitor }: KeyPrincipal,
  context: readonly string[] = [],
): Promise<void> {
  if (visitor === null || isDraftId(agentId)) return;
  const form = agent.settings.widget.form?.fields.map(({ name }) => name) ?? [];
  await contacts.seen({ tenantId, visitor }, saidIn(context, form));
}

/** What the widget tells of the form before a conversation: in the first entry of its context. */
function saidIn([first]: readonly string[], names: readonly string[]): Record<string, string> {
  if (first === undefined || names.length === 0) return {};
  const { visitor } = Object(parsed(first)) as { visitor?: unknown };
  const values = Object.entries(Object(visitor) as Record<string, unknown>);
  return Object.fromEntries(
    values.flatMap(([name, value]) =>
      names.includes(name) && ['string', 'number', 'boolean'].includes(typeof value)
        ? [[name, String(value).slice(0, maxContactValue).toWellFormed()]]
        : [],
    ),
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
