import type { ErasureView } from '@parley/protocol/settings/contact';
import { linkTo } from '../router.ts';
import { Page } from '../ui/page.tsx';
import { Time } from '../ui/time.tsx';

interface ErasureReceiptProps {
  readonly receipt: ErasureView;
  readonly trail: readonly { readonly name: string; readonly href: string }[];
}

/** What was erased, for whoever has to show that it was. */
export function ErasureReceipt({ receipt: { contactId, at, by, erased }, trail }: ErasureReceiptProps) {
  return (
    <Page
      title="Everything was erased"
      trail={trail}
      lead="This receipt says nothing of the person. It stands in the change log, too."
      action={
        <a class="button" href={linkTo('contacts')}>
          All contacts
        </a>
      }
    >
      <dl class="facts card">
        <div>
          <dt>When</dt>
          <dd>
            <Time at={at} />
          </dd>
        </div>
        <div>
          <dt>By</dt>
          <dd>{by?.name ?? 'Automation'}</dd>
        </div>
        <div>
          <dt>Conversations</dt>
          <dd>{erased.conversations}</dd>
        </div>
        <div>
          <dt>Unsent files</dt>
          <dd>{erased.files}</dd>
        </div>
        <div>
          <dt>Appointments without a name</dt>
          <dd>{erased.appointments}</dd>
        </div>
        <div>
          <dt>Sign-ins at other services</dt>
          <dd>{erased.signIns}</dd>
        </div>
        <div>
          <dt>Contact</dt>
          <dd>
            <code>{contactId}</code>
          </dd>
        </div>
      </dl>
    </Page>
  );
}
