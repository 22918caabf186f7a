import type { InvitationView, MemberRole, MemberView } from '@parley/protocol/settings/member';
import { invitationPath } from '@parley/protocol/paths';
import { useState } from 'preact/hooks';
import { ApiError, sentenceOf } from '../api/api-error.ts';
import { call, deleteIfThere } from '../api/call.ts';
import { member, tenant, tenants } from '../api/member.ts';
import { outdateColleagues } from '../inbox/colleagues.ts';
import { announce } from '../ui/announcement.tsx';
import { Code } from '../ui/code.tsx';
import { confirm } from '../ui/confirm.tsx';
import { Field } from '../ui/field.tsx';
import { Loading, Problem } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { roleNames } from '../ui/role-name.ts';
import { Time } from '../ui/time.tsx';
import { useForm } from '../ui/use-form.ts';
import { usePages } from '../ui/use-pages.ts';

const roles: readonly { readonly id: MemberRole; readonly does: string }[] = [
  { id: 'viewer', does: 'reads settings' },
  { id: 'agent', does: 'also answers visitors' },
  { id: 'admin', does: 'changes settings' },
  { id: 'owner', does: 'also decides who is a member' },
];
const everywhere = 'every';

const isGone = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

export function Members() {
  const members = usePages<MemberView>('/members');
  const invitations = usePages<InvitationView>('/invitations');
  const [problem, setProblem] = useState<string | null>(null);
  /** With its token, which is in no other answer. */
  const [made, setMade] = useState<InvitationView | null>(null);
  const doing = async (action: () => Promise<void>): Promise<boolean> => {
    try {
      await action();
      setProblem(null);
      return true;
    } catch (error) {
      if (isGone(error)) await Promise.all([members.reload(), invitations.reload()]);
      setProblem(
        isGone(error)
          ? 'Somebody else was faster: who is a member and who is invited is shown as it is now.'
          : sentenceOf(error),
      );
      return false;
    }
  };
  const setRole = async ({ id, name, role: before }: MemberView, select: HTMLSelectElement) => {
    const role = select.value as MemberRole;
    const isSet = await doing(async () => {
      await call('PATCH', `/members/${id}`, { role });
      outdateColleagues();
      await members.reload();
      announce(`${name} is ${roleNames[role]} now.`);
    });
    // Nothing is drawn anew where the same went wrong before.
    if (!isSet) select.value = before;
  };
  const remove = ({ id, name }: MemberView) =>
    doing(async () => {
      const text = 'They are signed out at once. What they have changed stays in the change log.';
      if (!(await confirm({ title: `Remove ${name}?`, text, action: 'Remove member' }))) return;
      await deleteIfThere(`/members/${id}`);
      outdateColleagues();
      await members.reload();
      announce(`${name} was removed.`);
    });
  const resetSecondFactor = ({ id, name }: MemberView) =>
    doing(async () => {
      const text =
        'For somebody who has lost their phone and their recovery codes. They are signed out, and their password alone signs them in.';
      const title = `Reset the second factor of ${name}?`;
      if (!(await confirm({ title, text, action: 'Reset second factor' }))) return;
      await call('DELETE', `/members/${id}/second-factor`);
      await members.reload();
      announce(`${name} signs in with the password alone now.`);
    });
  const takeBack = ({ id }: InvitationView) =>
    doing(async () => {
      const text = 'Its link does not work any more.';
      if (!(await confirm({ title: 'Take the invitation back?', text, action: 'Take back' }))) return;
      const withdraw = () => setMade((before) => (before?.id === id ? null : before));
      await call('DELETE', `/invitations/${id}`).catch((error: unknown) => {
        // Else it may still hold, and its link is shown nowhere else.
        if (isGone(error)) withdraw();
        throw error;
      });
      withdraw();
      await invitations.reload();
      announce('The invitation was taken back.');
    });
  const shown = problem ?? members.problem ?? invitations.problem;
  return (
    <Page
      title="Members"
      trail={[{ name: 'Settings' }]}
      lead="Who works in this console, and what they may do."
    >
      {shown && <Problem>{shown}</Problem>}
      {members.items === null ? (
        <Loading />
      ) : (
        <ul class="rows card">
          {members.items.map((each) => (
            <li key={each.id}>
              <div>
                <p class="row-name">{each.name}</p>
                <p class="meta">
                  {placeOf(each.tenantId)} · since <Time at={each.createdAt} />
                </p>
              </div>
              {each.id === member.value?.id ? (
                <span class="badge">You, {roleNames[each.role]}</span>
              ) : (
                <div class="actions">
                  <select
                    aria-label={`Role of ${each.name}`}
                    value={each.role}
                    onInput={({ currentTarget }) => void setRole(each, currentTarget)}
                  >
                    {roles.map(({ id }) => (
                      <option key={id} value={id}>
                        {roleNames[id]}
                      </option>
                    ))}
                  </select>
                  {each.secondFactor && (
                    <button
                      type="button"
                      class="button small"
                      aria-label={`Reset the second factor of ${each.name}`}
                      onClick={() => void resetSecondFactor(each)}
                    >
                      Reset second factor
                    </button>
                  )}
                  <button
                    type="button"
                    class="button small danger-quiet"
                    aria-label={`Remove ${each.name}`}
                    onClick={() => void remove(each)}
                  >
                    Remove
                  </button>
                </div>
              )}
            </li>
          ))}
        </ul>
      )}
      {members.more && (
        <button type="button" class="button" onClick={() => void members.more?.()}>
          Show more
        </button>
      )}
      <Invite
        made={made}
        onMade={async (invitation) => {
          setMade(invitation);
          await invitations.reload();
        }}
      />
      {invitations.items !== null && invitations.items.length > 0 && (
        <section>
          <h2 class="section">Not yet accepted</h2>
          <ul class="rows card">
            {invitations.items.map((each) => (
              <li key={each.id}>
                <div>
                  <p class="row-name">{roleNames[each.role]}</p>
                  <p class="meta">
                    {placeOf(each.tenantId)} · until <Time at={each.expiresAt} />
                  </p>
                </div>
                <button type="button" class="button small" onClick={() => void takeBack(each)}>
                  Take back
                </button>
              </li>
            ))}
          </ul>
          {invitations.more && (
            <button type="button" class="button" onClick={() => void invitations.more?.()}>
              Show more invitations
            </button>
          )}
        </section>
      )}
    </Page>
  );
}

const placeOf = (tenantId: string | null): string =>
  tenantId === null
    ? 'Every organisation'
    : (tenants.value.find(({ id }) => id === tenantId)?.name ?? tenantId);

interface InviteProps {
  readonly made: InvitationView | null;
  readonly onMade: (invitation: InvitationView) => Promise<void>;
}

function Invite({ made, onMade }: InviteProps) {
  const isOfAll = member.value?.tenantId === null;
  const { form, errors, problem, busy, submit, control } = useForm({
    name: 'invitation',
    initial: { role: 'admin', tenantId: tenant.value?.id ?? everywhere },
  });
  const invite = async (event: Event) => {
    event.preventDefault();
    await submit(
      () => ({}),
      async ({ role, tenantId }) => {
        const invited = { role, tenantId: tenantId === everywhere ? null : tenantId };
        await onMade(await call<InvitationView>('POST', '/invitations', invited));
      },
    );
  };
  return (
    <section class="card">
      <h2>Invite somebody</h2>
      <form class="inline" ref={form} noValidate onSubmit={(event) => void invite(event)}>
        {problem && <Problem>{problem}</Problem>}
        <Field label="Role" error={errors['role']}>
          <select {...control('role')}>
            {roles.map(({ id, does }) => (
              <option key={id} value={id}>
                {`${roleNames[id]}: ${does}`}
              </option>
            ))}
          </select>
        </Field>
        <Field label="Organisation" error={errors['tenantId']}>
          <select {...control('tenantId')}>
            {tenants.value.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
            {isOfAll && <option value={everywhere}>Every organisation</option>}
          </select>
        </Field>
        <button type="submit" class="button" disabled={busy}>
          Make a link
        </button>
      </form>
      {made && (
        <>
          <p class="notice">Send this link to them. It works once, within a week, and is not shown again.</p>
          <Code label="Invitation" text={location.origin + invitationPath(made.token ?? '')} />
        </>
      )}
    </section>
  );
}
