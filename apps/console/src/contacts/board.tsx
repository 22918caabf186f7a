import type { ContactView } from '@parley/protocol/settings/contact';
import type { Pipeline } from '@parley/protocol/settings/pipeline';
import { signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { sentenceOf } from '../api/api-error.ts';
import { call } from '../api/call.ts';
import { isAtLeast } from '../api/member.ts';
import { linkTo } from '../router.ts';
import { announce } from '../ui/announcement.tsx';
import { Loading, Problem } from '../ui/notice.tsx';
import { usePages } from '../ui/use-pages.ts';
import { contactDetail, contactName } from './contact-name.ts';

/** Cards that a column begins with. */
const pageSize = 20;
const dragged = 'application/x-parley-contact';

type Stages = Pipeline['stages'];
interface Move {
  readonly id: string;
  readonly to: string;
  readonly name: string;
}

/** Who was moved last, where the keyboard goes on. */
const lastMove = signal<Move | null>(null);

/** A column for each stage. A card is moved by its list of stages, or dragged. */
export function Board({ tenantId, stages }: { readonly tenantId: string; readonly stages: Stages }) {
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => () => void (lastMove.value = null), []);
  const move = async ({ id, to, name }: Move): Promise<boolean> => {
    try {
      await call('PATCH', `/contacts/${id}`, { stage: to });
      setProblem(null);
      lastMove.value = { id, to, name };
      announce(`${name} is in ${stages.find((stage) => stage.id === to)?.name ?? to} now.`);
      return true;
    } catch (error) {
      setProblem(sentenceOf(error));
      return false;
    }
  };
  return (
    <>
      {problem && <Problem>{problem}</Problem>}
      <div class="board" role="region" aria-label="Pipeline" tabIndex={0}>
        {stages.map((stage) => (
          <Column key={stage.id} {...{ tenantId, stage, stages, move }} />
        ))}
      </div>
    </>
  );
}

interface ColumnProps {
  readonly tenantId: string;
  readonly stage: Stages[number];
  readonly stages: Stages;
  /** Whether it was done. */
  readonly move: (move: Move) => Promise<boolean>;
}

function Column({ tenantId, stage, stages, move }: ColumnProps) {
  const query = new URLSearchParams({ tenantId, stage: stage.id });
  const { items, problem, reload, more } = usePages<ContactView>(`/contacts?${query}`, pageSize);
  const [isOver, setOver] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  const moved = lastMove.value;
  const mayMove = isAtLeast('agent');
  const isHere = moved?.to === stage.id;
  const choose = async (contact: ContactView, select: HTMLSelectElement) => {
    const isMoved = await move({ id: contact.id, to: select.value, name: contactName(contact) });
    // Nothing is drawn anew where the same went wrong before.
    if (!isMoved) select.value = contact.stage;
  };
  useEffect(() => {
    if (!moved) return;
    void reload().then(() => {
      if (!isHere) return;
      // Once it is drawn.
      requestAnimationFrame(() =>
        list.current?.querySelector<HTMLElement>(`[data-contact="${CSS.escape(moved.id)}"] select`)?.focus(),
      );
    });
  }, [moved, isHere, reload]);
  return (
    <section
      class="column"
      aria-label={stage.name}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        if (!event.dataTransfer?.types.includes(dragged)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const [id = '', name = ''] = event.dataTransfer?.getData(dragged).split('\n') ?? [];
        if (id !== '' && !items?.some((each) => each.id === id)) void move({ id, to: stage.id, name });
      }}
    >
      <h2>
        {stage.name}
        {items && (
          <span class="meta">
            {items.length}
            {more ? '+' : ''}
          </span>
        )}
      </h2>
      {problem && <Problem>{problem}</Problem>}
      {items === null && !problem && <Loading />}
      {items?.length === 0 && <p class="meta">Nobody</p>}
      <ul ref={list}>
        {items?.map((contact) => (
          <li
            key={contact.id}
            class="card"
            data-contact={contact.id}
            draggable={mayMove}
            onDragStart={(event) =>
              event.dataTransfer?.setData(dragged, `${contact.id}\n${contactName(contact)}`)
            }
          >
            <a class="row-name" href={linkTo('contacts', contact.id)} dir="auto" draggable={false}>
              {contactName(contact)}
            </a>
            <span class="meta" dir="auto">
              {contactDetail(contact)}
            </span>
            {mayMove && (
              <select
                aria-label={`Stage of ${contactName(contact)}`}
                value={contact.stage}
                onChange={({ currentTarget }) => void choose(contact, currentTarget)}
              >
                {stages.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </select>
            )}
          </li>
        ))}
      </ul>
      {more && (
        <button type="button" class="button small" onClick={() => void more()}>
          Show more
        </button>
      )}
    </section>
  );
}
