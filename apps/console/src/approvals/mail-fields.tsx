import type { MemberView } from '@parley/protocol/settings/member';
import { useEffect, useState } from 'preact/hooks';
import type { ConductProps } from '../agent/conduct-form.ts';
import { allPages } from '../api/all-pages.ts';
import { tenant } from '../api/member.ts';
import { Field } from '../ui/field.tsx';
import { addressProblem, approversOf, isWrongAddress, mailEntry, mailRows } from './mail-entry.ts';

const most = 10;

/** Whose mailboxes are written to when the team is asked. */
export function MailFields({ form: { values, errors, set } }: ConductProps) {
  const tenantId = tenant.value?.id;
  const [members, setMembers] = useState<readonly MemberView[]>([]);
  useEffect(() => {
    if (tenantId === undefined) return;
    allPages<MemberView>('/members').then(
      (all) => setMembers(approversOf(all, tenantId)),
      // Whoever may not list them names addresses alone.
      () => setMembers([]),
    );
  }, [tenantId]);
  const rows = mailRows(values.approvalMail);
  const put = (changed: typeof rows) => set('approvalMail', mailEntry(changed));
  const error = errors['approvalMail'];
  return (
    <div class="approval-mails" role="group" aria-label="Approvals by mail">
      {rows.map((row, index) => {
        const change = (mail: typeof row) => put(rows.map((each, at) => (at === index ? mail : each)));
        return (
          <div key={index} class="approval-mail">
            <Field
              label="Write to"
              error={isWrongAddress(row) && error === addressProblem ? error : undefined}
            >
              <input
                type="email"
                autoComplete="off"
                placeholder="grace@example.com"
                value={row.address}
                onInput={({ currentTarget }) => change({ ...row, address: currentTarget.value })}
              />
            </Field>
            <Field label="Whose mailbox">
              <select
                value={row.memberId ?? ''}
                onChange={({ currentTarget: { value } }) =>
                  change({ address: row.address, ...(value !== '' && { memberId: value }) })
                }
              >
                <option value="">Nobody’s in particular</option>
                {row.memberId !== undefined && members.every(({ id }) => id !== row.memberId) && (
                  <option value={row.memberId}>A member</option>
                )}
                {members.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </select>
            </Field>
            <button
              type="button"
              class="button"
              aria-label={`Remove ${row.address || 'this address'}`}
              onClick={() => put(rows.filter((_, at) => at !== index))}
            >
              Remove
            </button>
          </div>
        );
      })}
      {rows.length < most && (
        <button type="button" class="button" onClick={() => put([...rows, { address: '' }])}>
          {rows.length === 0 ? 'Also ask by mail' : 'Add an address'}
        </button>
      )}
      {error && error !== addressProblem && (
        <p class="error" role="alert">
          {error}
        </p>
      )}
      <p class="hint">
        They get a link that answers, by the agent’s connection for mail. Only an owner names another member’s
        mailbox. Where two members have to approve, only mailboxes of members are written to.
      </p>
    </div>
  );
}
