import { maxContactValue } from '@parley/protocol/settings/pipeline';
import { z } from 'zod';
import { digestOf } from '../mcp/tool-definition.ts';
import type { ServerTool, ToolDelivery, ToolOutcome } from '../tool.ts';

const timeoutMs = 10_000;

/** What an agent is told of the contact that it talks to. */
export interface ContactSheet {
  readonly stage: string;
  readonly stages: readonly { readonly id: string; readonly name: string }[];
  readonly fields: readonly { readonly id: string; readonly name: string; readonly value: string | null }[];
  /** Typed into a form by the visitor, and checked by nobody. */
  readonly said: Readonly<Record<string, string>>;
  readonly firstSeen: string;
}

export interface ContactChange {
  readonly stage?: string | undefined;
  /** By their ids; null removes one. */
  readonly fields?: Readonly<Record<string, string | null>> | undefined;
}

interface Person {
  readonly tenantId: string;
  readonly visitor: string;
}

/** The contacts of tenants, as far as agents may know and change them. */
export interface KnownContacts {
  sheetOf(person: Person): Promise<ContactSheet | null>;
  changeByAgent(
    person: Person,
    change: ContactChange,
  ): Promise<
    | { readonly outcome: 'changed' | 'missing' | 'busy' }
    | { readonly outcome: 'invalid'; readonly message: string }
  >;
}

const key = z.string().min(1).max(40);
const schemas = {
  contact_read: z.strictObject({}),
  contact_update: z.strictObject({
    fields: z
      .record(key, z.string().max(maxContactValue).nullable())
      .refine((fields) => Object.keys(fields).length <= 20, 'Expected at most 20 fields.')
      .describe('What to note, by the ids of fields that contact_read gives; null removes what was noted.'),
  }),
  contact_move: z.strictObject({ stage: key.describe('The id of a stage that contact_read gives.') }),
};

const unknown: ToolOutcome = {
  ok: false,
  code: 'VISITOR_UNKNOWN',
  message: 'The visitor has not signed in, so there is no contact. What they say of themselves makes none.',
};

export const contactToolNames: readonly string[] = Object.keys(schemas);

/** What an agent does with the contact of the visitor that it talks to. Whose contact it is, arguments never say. */
export function contactTools(
  tenantId: string,
  access: 'read' | 'change',
  contacts: KnownContacts,
): readonly ServerTool<ToolOutcome>[] {
  function tool<Input>(
    name: keyof typeof schemas,
    schema: z.ZodType<Input>,
    description: string,
    run: (input: Input, person: Person) => Promise<ToolOutcome>,
  ): ServerTool<ToolOutcome> {
    return {
      executor: 'server',
      name,
      description,
      parameters: { ...z.toJSONSchema(schema, { io: 'input' }), type: 'object' },
      // Chat knows neither threads nor contacts.
      interfaces: ['sessions'],
      approval: 'never',
      approvalExpiresAfterMs: null,
      idempotent: true,
      visibility: 'status',
      timeoutMs,
      fingerprint: digestOf([tenantId, name]),
      invalid(input) {
        const parsed = schema.safeParse(input);
        if (parsed.success) return undefined;
        const said = parsed.error.issues.map(
          ({ path, message }) => `${path.join('.') || 'the arguments'}: ${message}`,
        );
        return `The arguments are not valid: ${said.slice(0, 5).join('; ')}`;
      },
      execute: async (input, { visitor }: ToolDelivery) =>
        visitor === null ? unknown : run(schema.parse(input), { tenantId, visitor }),
    };
  }

  const changed = async (person: Person, change: ContactChange): Promise<ToolOutcome> => {
    const result = await contacts.changeByAgent(person, change);
    if (result.outcome === 'changed') return { ok: true, output: { done: true } };
    if (result.outcome === 'invalid') return { ok: false, code: 'INVALID', message: result.message };
    if (result.outcome === 'missing') return unknown;
    return { ok: false, code: 'BUSY', message: 'Nothing was changed: others change the contact. Try again.' };
  };

  const reading = tool(
    'contact_read',
    schemas.contact_read,
    'Read what is known of the visitor you talk to: what was noted, what they typed into a form (`said`, which nobody has checked), and their stage of the pipeline.',
    async (_input, person) => {
      const sheet = await contacts.sheetOf(person);
      return sheet === null ? unknown : { ok: true, output: sheet };
    },
  );
  if (access === 'read') return [reading];
  return [
    reading,
    tool(
      'contact_update',
      schemas.contact_update,
      'Note something about the visitor you talk to, in the fields that contact_read gives.',
      ({ fields }, person) => changed(person, { fields }),
    ),
    tool(
      'contact_move',
      schemas.contact_move,
      'Move the visitor you talk to to another stage of the pipeline.',
      ({ stage }, person) => changed(person, { stage }),
    ),
  ];
}
