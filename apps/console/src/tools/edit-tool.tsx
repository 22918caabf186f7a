import type { AgentView } from '@parley/protocol/settings/agent';
import type { ToolView } from '@parley/protocol/settings/tool';
import { useEffect, useState } from 'preact/hooks';
import { sentenceOf } from '../api/api-error.ts';
import { call, deleteIfThere, revalidation } from '../api/call.ts';
import { isAtLeast } from '../api/member.ts';
import { go, linkTo } from '../router.ts';
import { announce } from '../ui/announcement.tsx';
import { confirm } from '../ui/confirm.tsx';
import { Failed } from '../ui/failed.tsx';
import { Loading, Problem } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { useForm } from '../ui/use-form.ts';
import { changesOf, storedTool, toolField, toolProblems } from './tool-entries.ts';
import { ToolForm } from './tool-form.tsx';

interface EditToolProps {
  readonly id: string;
  readonly agents: readonly AgentView[];
}

export function EditTool({ id, agents }: EditToolProps) {
  const [tool, setTool] = useState<ToolView | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const round = revalidation.value;
  useEffect(() => {
    if (round === null) return;
    call<ToolView>('GET', `/tools/${id}`).then(
      (stored) => {
        setTool(stored);
        setProblem(null);
      },
      (error: unknown) => setProblem(sentenceOf(error)),
    );
  }, [id, round]);
  const remove = async ({ name }: ToolView) => {
    const text = 'The agent cannot use it any more, and calls that wait for an approval are not made.';
    if (!(await confirm({ title: `Delete ${name}?`, text, action: 'Delete tool' }))) return;
    try {
      await deleteIfThere(`/tools/${id}`);
      announce(`${name} was deleted.`);
      go('tools');
    } catch (error) {
      setProblem(sentenceOf(error));
    }
  };
  if (tool === null)
    return problem ? (
      <Failed trail={[{ name: 'Tools', href: linkTo('tools') }]}>{problem}</Failed>
    ) : (
      <Loading />
    );
  return (
    <Page
      title={tool.name}
      trail={[{ name: 'Tools', href: linkTo('tools') }]}
      action={
        isAtLeast('admin') && (
          <button type="button" class="button danger-quiet" onClick={() => void remove(tool)}>
            Delete
          </button>
        )
      }
    >
      {problem && <Problem>{problem}</Problem>}
      <Stored key={JSON.stringify(tool)} tool={tool} agents={agents} onSaved={setTool} />
    </Page>
  );
}

interface StoredProps {
  readonly tool: ToolView;
  readonly agents: readonly AgentView[];
  readonly onSaved: (tool: ToolView) => void;
}

function Stored({ tool, agents, onSaved }: StoredProps) {
  const [before] = useState(() => storedTool(tool));
  const form = useForm({
    name: `tool ${tool.id}`,
    initial: before.entries,
    secret: ['secrets'],
    fieldOf: toolField,
  });
  const isChanged = Object.keys(form.entries).length > 0;
  const save = async (event: Event) => {
    event.preventDefault();
    const check = (values: typeof form.values) => toolProblems(values, before);
    await form.submit(check, async (values) => {
      const saved = await call<ToolView>('PATCH', `/tools/${tool.id}`, changesOf(values, before));
      form.reset();
      onSaved(saved);
      announce('Saved. The agent has it from its next turn on.');
    });
  };
  return (
    <ToolForm form={form} before={before} id={tool.id} agents={agents} onSubmit={save}>
      {isAtLeast('admin') ? (
        <>
          <p class="hint" role="status">
            {isChanged ? 'There are changes that are not saved.' : 'Everything is saved.'}
          </p>
          <button type="button" class="button" disabled={!isChanged} onClick={form.reset}>
            Discard
          </button>
          <button type="submit" class="button primary" disabled={form.busy || !isChanged}>
            Save
          </button>
        </>
      ) : (
        <p class="hint">Your role reads settings. An admin can change them.</p>
      )}
    </ToolForm>
  );
}
