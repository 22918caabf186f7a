import type { KeyView } from '@parley/protocol/settings/key';
import type { DraftPatch, DraftView } from '@parley/protocol/settings/revision';
import { useState } from 'preact/hooks';
import { entryField } from '../agent/agent-entries.ts';
import { LookFields } from '../agent/agent-fields.tsx';
import { Preview } from '../agent/preview.tsx';
import { call } from '../api/call.ts';
import { isAtLeast } from '../api/member.ts';
import { orReload } from '../revisions/or-reload.ts';
import { announce } from '../ui/announcement.tsx';
import { Field } from '../ui/field.tsx';
import { Problem } from '../ui/notice.tsx';
import { useForm } from '../ui/use-form.ts';
import { AvatarField } from './avatar-field.tsx';
import { ContrastList } from './contrast-list.tsx';

interface ThemeFormProps {
  readonly draft: DraftView;
  readonly keys: readonly KeyView[];
  readonly onSaved: (draft: DraftView) => void;
  readonly reload: () => Promise<void>;
}

/** Widths at which the panel is seen: its own beside a page, and a phone. */
const widths = [400, 375] as const;

/** The colours of the widget with what can be read of them, and the widget itself beside it. */
export function ThemeForm({ draft, keys, onSaved, reload }: ThemeFormProps) {
  const { agent, changedAt, live } = draft;
  const { widget } = agent;
  const [width, setWidth] = useState<(typeof widths)[number]>(400);
  const initial = {
    accent: widget.accent,
    theme: widget.theme as string,
    position: widget.position as string,
    widgetName: widget.name ?? '',
    avatar: widget.avatar ?? '',
  };
  const form = useForm({
    name: `theme ${agent.id}`,
    initial,
    fieldOf: (path) => (path === 'widget.name' ? 'widgetName' : entryField(path)),
  });
  const isChanged = Object.keys(form.entries).length > 0;
  const save = async (event: Event) => {
    event.preventDefault();
    await form.submit(
      ({ accent }) => (/^#[0-9a-f]{6}$/i.test(accent) ? {} : { accent: 'Enter a colour such as #2563eb.' }),
      async () => {
        const { widgetName, avatar, ...rest } = form.entries;
        const look = {
          ...rest,
          ...(rest.accent !== undefined && { accent: rest.accent.toLowerCase() }),
          ...(widgetName !== undefined && { name: widgetName.trim() || null }),
          ...(avatar !== undefined && { avatar: avatar || null }),
        } as NonNullable<DraftPatch['widget']>;
        const body = { widget: look, changedAt };
        const asked = call<DraftView>('PATCH', `/agents/${agent.id}/draft`, body);
        onSaved(await orReload(asked, reload));
        form.reset();
        announce('Saved in the draft. Visitors have it once you publish.');
      },
    );
  };
  const { accent, theme, widgetName, avatar } = form.values;
  return (
    <div class="beside theme-builder">
      <form ref={form.form} noValidate onSubmit={(event) => void save(event)}>
        {form.problem && <Problem>{form.problem}</Problem>}
        <LookFields form={form}>
          <ContrastList accent={accent} theme={theme} onPropose={(to) => form.set('accent', to)} />
          <Field
            label="Name in the widget"
            hint={`Empty: the agent’s, ${agent.name}.`}
            error={form.errors['widgetName']}
          >
            <input type="text" maxLength={80} autoComplete="off" {...form.control('widgetName')} />
          </Field>
          <AvatarField
            value={avatar}
            hint="Empty: none. The preview has it once it is saved."
            error={form.errors['avatar']}
            onChange={(to) => form.set('avatar', to)}
          />
        </LookFields>
        {isAtLeast('admin') ? (
          <div class="actions sticky">
            <p class="hint" role="status">
              {isChanged ? 'There are changes that are not saved.' : 'Everything is saved in the draft.'}
            </p>
            <button type="button" class="button" disabled={!isChanged} onClick={form.reset}>
              Undo
            </button>
            <button type="submit" class="button primary" disabled={form.busy || !isChanged}>
              Save draft
            </button>
          </div>
        ) : (
          <p class="hint">Your role reads settings. An admin can change them.</p>
        )}
      </form>
      <div class={`theme-preview at-${width}`}>
        <div class="ways" role="group" aria-label="Width of the preview">
          {widths.map((each) => (
            <button key={each} type="button" aria-pressed={each === width} onClick={() => setWidth(each)}>
              {each} px
            </button>
          ))}
        </div>
        <Preview
          agentId={agent.id}
          keys={keys}
          revision={`${live} ${changedAt}`}
          name={widgetName.trim() || agent.name}
          accent={accent}
          theme={theme}
        />
      </div>
    </div>
  );
}
