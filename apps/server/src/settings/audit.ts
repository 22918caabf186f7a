import type { AuditEntryView } from '@parley/protocol/settings/audit';
import type { MemberPrincipal } from '../auth/principal.ts';
import type { AuditRecord } from '../store/audit-store.ts';
import { leavesOf } from './leaves.ts';

/** Characters of a value that the log keeps of one field; behind them it says how many there were. */
const maxValueLength = 1_000;
/** Fields of one change that it keeps. */
const maxFields = 100;
/** In place of the others: how many they are. */
const leftOut = '…';

type Fields = NonNullable<AuditEntryView['before']>;

/** A change, as the settings API shows what was changed; a side that is null was not there. */
interface Change extends Pick<AuditRecord, 'tenantId' | 'action' | 'kind' | 'subject'> {
  readonly before: object | null;
  readonly after: object | null;
}

/** Who, as the log names them; null: whoever holds the admin token. */
type Actor = { readonly kind: 'admin' } | Pick<MemberPrincipal, 'kind' | 'id' | 'name'>;

/** What is written down of a change, together with it: of the two sides what differs. */
export function changeRecord(principal: Actor, { before, after, ...change }: Change): AuditRecord {
  const was = before && leavesOf(before);
  const is = after && leavesOf(after);
  const differs = (name: string) => JSON.stringify(was?.[name]) !== JSON.stringify(is?.[name]);
  const kept = (fields: Fields): Fields => {
    const changed = Object.entries(fields).filter(([name]) => differs(name));
    const others = changed.length - maxFields;
    return {
      ...Object.fromEntries(changed.slice(0, maxFields).map(([name, value]) => [name, cut(value)])),
      ...(others > 0 && { [leftOut]: `${others} more` }),
    };
  };
  const actor = principal.kind === 'member' ? { id: principal.id, name: principal.name } : null;
  return { at: Date.now(), actor, ...change, before: was && kept(was), after: is && kept(is) };
}

function cut(value: Fields[string]): Fields[string] {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (text.length <= maxValueLength) return value;
  return `${text.slice(0, maxValueLength).toWellFormed()}… (of ${text.length} characters)`;
}
