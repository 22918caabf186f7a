import { authorize } from '../auth/authorize.ts';
import type { SettingsPrincipal } from '../auth/principal.ts';
import type { AuditRecord } from '../store/audit-store.ts';
import type { Collection } from '../store/settings-store.ts';
import { changeRecord } from './audit.ts';
import { readable } from './readable.ts';
import { conflict, dangling, notFound } from './settings-error.ts';
import { UnreadableRecordError } from './unreadable-record-error.ts';

interface Identified {
  readonly id: string;
}

type Fields<Stored> = Partial<Omit<Stored, 'id' | 'tenantId' | 'createdAt'>>;

interface Created<Stored, View> {
  readonly record: Stored;
  /** Instead of the view of the record: a new key is shown once. */
  readonly view?: View;
}

/** Writes fields of a record; null when it is gone, or was changed since it was read. */
type Write<Stored> = (
  principal: SettingsPrincipal,
  before: Stored,
  fields: Fields<Stored>,
  change: AuditRecord,
) => Promise<Stored | null>;

/** How often a change that another one has overtaken is made again of what is stored then. */
const maxAttempts = 16;

/** What sets one kind of settings apart. Whatever it refuses is a `SettingsError`. */
export interface ResourceDefinition<Stored extends Identified, Create, Patch, View> {
  /** As the log of changes calls it. */
  readonly kind: string;
  nameOf(record: Stored): string | null;
  readonly records: Collection<Stored>;
  /** Null: it belongs to the whole service. */
  tenantOf(record: Stored): string | null;
  /** What all records of a tenant have in common. */
  ofTenant(tenantId: string): Partial<Stored>;
  /** As the API shows it, secrets by their last characters only. Throws `UnreadableRecordError`. */
  view(record: Stored): View;
  /** The tenant that a new one goes to, undefined when there is none, and the field that names it; null: it is a tenant itself. */
  readonly owner: {
    readonly field: keyof Create & string;
    tenantOf(create: Create): Promise<string | null | undefined>;
  } | null;
  create(create: Create, tenantId: string, principal: SettingsPrincipal): Promise<Created<Stored, View>>;
  /** The fields of the record that change. */
  patch(record: Stored, patch: Patch, principal: SettingsPrincipal): Promise<Fields<Stored>>;
  /** Fields that are made of what was read: they are written only over that. */
  readonly guarded?: readonly (keyof Stored)[];
  /** How a record is written where that is more than its row, and says by whom. */
  readonly writes?: {
    insert(principal: SettingsPrincipal, record: Stored, change: AuditRecord): Promise<void>;
    update: Write<Stored>;
  };
  /** Ends what ran with a record as it was before, once that is written over. */
  replaced?(before: Stored, after: Stored): Promise<void>;
  /** Does what follows from a record that was created or changed, before whoever asked is answered. `before`: null where it is new. */
  saved?(record: Stored, before: Stored | null): Promise<void>;
  /** Throws where this principal may not remove it by itself. */
  rejectRemoval?(record: Stored, principal: SettingsPrincipal): Promise<void>;
  /** Removes first what must be gone before the record is. */
  clear?(record: Stored): Promise<void>;
  /** Ends what ran with a record that is gone. */
  removed?(record: Stored): Promise<void>;
}

interface ListQuery {
  readonly cursor?: string | null | undefined;
  readonly limit: number;
  readonly tenantId?: string | undefined;
  readonly agentId?: string | undefined;
}

interface Unreadable extends Identified {
  readonly unreadable: true;
}

/** List, read, create, change and remove one kind of settings. What belongs to another tenant than a member's is not there. */
export class Resource<Stored extends Identified, Create, Patch, View extends object> {
  readonly #definition: ResourceDefinition<Stored, Create, Patch, View>;

  constructor(definition: ResourceDefinition<Stored, Create, Patch, View>) {
    this.#definition = definition;
  }

  /** One bad record does not hide the others: it is listed by its id. */
  async list(
    principal: SettingsPrincipal,
    { cursor = null, limit, ...filters }: ListQuery,
  ): Promise<{ items: (View | Unreadable)[]; next: string | null }> {
    const definition = this.#definition;
    if (filters.tenantId !== undefined && !authorize(principal, filters.tenantId)) throw notFound();
    const isOfOne = principal.kind === 'member' && principal.tenantId !== null;
    const own = isOfOne ? definition.ofTenant(principal.tenantId) : {};
    // A filter has the name of the field that it is compared with.
    const where = { ...filters, ...own } as Partial<Stored>;
    const page = await definition.records.list({ where, after: cursor, limit });
    return { items: page.items.map((record) => this.#listed(record)), next: page.next };
  }

  /** The record. Throws `not-found`. */
  async find(principal: SettingsPrincipal, id: string): Promise<Stored> {
    const definition = this.#definition;
    const record = await definition.records.get(id);
    if (record === null || !authorize(principal, definition.tenantOf(record))) throw notFound();
    return record;
  }

  async read(principal: SettingsPrincipal, id: string): Promise<View> {
    return this.#view(await this.find(principal, id));
  }

  async create(principal: SettingsPrincipal, create: Create): Promise<View> {
    const definition = this.#definition;
    const { owner } = definition;
    const tenantId = owner === null ? '' : await owner.tenantOf(create);
    if (owner !== null && (tenantId === undefined || !authorize(principal, tenantId)))
      throw dangling(owner.field);
    const { record, view } = await readable(() => definition.create(create, tenantId ?? '', principal));
    const change = this.#change(principal, null, record);
    try {
      if (definition.writes) await definition.writes.insert(principal, record, change);
      else await definition.records.insert(record, change);
    } catch (error) {
      // What it belongs to may have been removed meanwhile.
      if (owner !== null && (await owner.tenantOf(create)) === undefined) throw dangling(owner.field);
      await readable(() => definition.create(create, tenantId ?? '', principal));
      throw error;
    }
    return view ?? this.#view(await this.#saved(record, null));
  }

  /** Writes the fields that `fieldsOf` makes of the record. Throws `not-found` and `conflict`. */
  async change(
    principal: SettingsPrincipal,
    id: string,
    fieldsOf: (record: Stored) => Promise<Fields<Stored>>,
    write: Write<Stored> = this.#write,
  ): Promise<Stored> {
    return (await this.#changed(principal, id, fieldsOf, write)).after;
  }

  async #changed(
    principal: SettingsPrincipal,
    id: string,
    fieldsOf: (record: Stored) => Promise<Fields<Stored>>,
    write: Write<Stored> = this.#write,
  ): Promise<{ readonly before: Stored; readonly after: Stored }> {
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const before = await this.find(principal, id);
      const fields = await readable(() => fieldsOf(before));
      if (Object.keys(fields).length === 0) return { before, after: before };
      const change = this.#change(principal, before, { ...before, ...fields });
      const after = await readable(() => write(principal, before, fields, change));
      if (after === null) continue;
      await this.#definition.replaced?.(before, after);
      return { before, after };
    }
    throw conflict('Others change this at the same moment. Try again.');
  }

  /** `patch` may be made of the record, again where another change has overtaken this one. */
  async update(
    principal: SettingsPrincipal,
    id: string,
    patch: Patch | ((record: Stored) => Patch),
  ): Promise<View> {
    const { before, after } = await this.#changed(principal, id, (record) =>
      this.#definition.patch(record, patch instanceof Function ? patch(record) : patch, principal),
    );
    return this.#view(await this.#saved(after, before));
  }

  /** `remove` throws where it was not done. */
  async delete(
    principal: SettingsPrincipal,
    id: string,
    remove: (record: Stored, change: AuditRecord) => Promise<void> = (...removal) => this.remove(...removal),
  ): Promise<void> {
    const record = await this.find(principal, id);
    await readable(async () => this.#definition.rejectRemoval?.(record, principal));
    await remove(record, this.#change(principal, record, null));
  }

  /**
   * Removes a record that whoever asks may remove. What goes with another one is in the log by the name of that, and may
   * have been removed by itself meanwhile.
   */
  async remove(record: Stored, change?: AuditRecord): Promise<void> {
    await this.#definition.clear?.(record);
    const isRemoved = await this.#definition.records.remove(record.id, change);
    if (isRemoved) await this.#definition.removed?.(record);
    else if (change) throw notFound();
  }

  readonly #write: Write<Stored> = (principal, before, fields, change) =>
    this.#definition.writes?.update(principal, before, fields, change) ??
    this.#definition.records.update(before.id, fields, change, this.#guardedFields(before));

  #guardedFields(record: Stored): Partial<Stored> {
    const guarded = this.#definition.guarded ?? [];
    return Object.fromEntries(guarded.map((field) => [field, record[field]])) as Partial<Stored>;
  }

  /** The record after what follows from it. */
  async #saved(record: Stored, before: Stored | null): Promise<Stored> {
    const definition = this.#definition;
    if (!definition.saved) return record;
    await definition.saved(record, before);
    return (await definition.records.get(record.id)) ?? record;
  }

  #change(principal: SettingsPrincipal, before: null, after: Stored): AuditRecord;
  #change(principal: SettingsPrincipal, before: Stored, after: Stored | null): AuditRecord;
  #change(principal: SettingsPrincipal, before: Stored | null, after: Stored | null): AuditRecord {
    const record = (after ?? before)!;
    const definition = this.#definition;
    const action = before === null ? 'created' : after === null ? 'deleted' : 'updated';
    const tenantId = definition.tenantOf(record);
    return changeRecord(principal, {
      // What a tenant has done goes with it, and that it went stays.
      tenantId: action === 'deleted' && tenantId === record.id ? null : tenantId,
      action,
      kind: definition.kind,
      subject: { id: record.id, name: definition.nameOf(record) },
      before: before && this.#listed(before),
      after: after && this.#listed(after),
    });
  }

  #view(record: Stored): Promise<View> {
    return readable(() => this.#definition.view(record));
  }

  #listed(record: Stored): View | Unreadable {
    try {
      return this.#definition.view(record);
    } catch (error) {
      if (error instanceof UnreadableRecordError) return { id: record.id, unreadable: true };
      throw error;
    }
  }
}
