import { authorize } from '../../auth/authorize.ts';
import type { SettingsPrincipal } from '../../auth/principal.ts';
import { contactView } from '../../contact/contact-view.ts';
import type { Contacts } from '../../contact/contacts.ts';
import { eraseOnRequest } from '../../contact/requested-erasures.ts';
import { inStage } from '../../contact/stage-of.ts';
import type { Sessions } from '../../session/sessions.ts';
import type { SignIns } from '../../sign-in/sign-ins.ts';
import { isDraftId, isTrialId } from '../../settings/draft-id.ts';
import { conflict, invalid, notFound } from '../../settings/settings-error.ts';
import type { ContactRecord } from '../../store/contact-store.ts';
import type { Store } from '../../store/store.ts';
import { conversationView } from '../conversations/conversation-view.ts';
import { sendPieces } from '../connection/send-pieces.ts';
import type { Handlers } from '../handlers.ts';
import { contactChange } from './contact-change.ts';
import { exportContact } from './export-contact.ts';

/** Contacts that are looked at for one page of a search. */
const maxLookedAt = 1_000;

interface ContactHandlersDeps {
  readonly store: Store;
  readonly contacts: Contacts;
  readonly sessions: Pick<Sessions, 'remove'>;
  readonly signIns: Pick<SignIns, 'forgetVisitor'>;
  /** Ends every stream of a session. */
  readonly endStreams: (sessionId: string) => void;
  readonly fileUrl: (id: string) => string;
}

type Names =
  | 'listContacts'
  | 'readContact'
  | 'updateContact'
  | 'listContactConversations'
  | 'exportContact'
  | 'eraseContact';

/** The people that a tenant’s agents know, for its team. */
export function contactHandlers(deps: ContactHandlersDeps): Handlers<Names> {
  const { store, contacts, sessions, signIns, endStreams } = deps;

  /** Throws the same for what does not exist and for what is another tenant's. */
  async function find(principal: SettingsPrincipal, id: string): Promise<ContactRecord> {
    const found = await store.getContact(id);
    if (!found || !authorize(principal, found.tenantId)) throw notFound();
    return found;
  }

  return {
    async listContacts({ response, principal, query }) {
      const { stage, visitor, search, cursor = null, limit } = query;
      const tenantId = query.tenantId ?? (principal.kind === 'member' ? principal.tenantId : null);
      if (tenantId === null) throw invalid(['tenantId'], 'Name a tenant.');
      if (!authorize(principal, tenantId)) throw notFound();
      const pipeline = await contacts.pipeline(tenantId);
      if (visitor !== undefined) {
        const found = await store.findContact({ tenantId, visitor });
        return void response.json({ items: found ? [contactView(found, pipeline)] : [], next: null });
      }
      const page = await store.listContacts({
        tenantId,
        stage: stage === undefined ? null : inStage(stage, pipeline.stages),
        search: search?.toLowerCase() ?? null,
        after: cursor,
        limit,
        maxLookedAt,
      });
      response.json({ items: page.items.map((each) => contactView(each, pipeline)), next: page.next });
    },

    async readContact({ response, principal, id }) {
      const contact = await find(principal, id);
      response.json(contactView(contact, await contacts.pipeline(contact.tenantId)));
    },

    async updateContact({ response, principal, id, body }) {
      const result = await contacts.changeByTeam(await find(principal, id), body, (before, after) =>
        contactChange(principal, before, after),
      );
      if (result.outcome === 'missing') throw notFound();
      if (result.outcome === 'invalid') throw invalid([...result.path], result.message);
      if (result.outcome !== 'changed') throw conflict('Others change this contact. Try again.');
      response.json(contactView(result.contact, await contacts.pipeline(result.contact.tenantId)));
    },

    async listContactConversations({ response, principal, id, query: { cursor = null, limit } }) {
      const page = await store.listSessionsOf(await find(principal, id), { after: cursor, limit });
      const found = await store.getConversations(page.items);
      const items = page.items.flatMap((each) => {
        const conversation = found.find((one) => one.id === each);
        const isListed = conversation && !isDraftId(conversation.agentId) && !isTrialId(conversation.agentId);
        return isListed ? [conversationView(conversation)] : [];
      });
      response.json({ items, next: page.next });
    },

    async exportContact({ request, response, principal, id }) {
      const contact = await find(principal, id);
      const pipeline = await contacts.pipeline(contact.tenantId);
      response.setHeader('content-type', 'application/json; charset=utf-8');
      response.setHeader('content-disposition', `attachment; filename="${contact.id}.json"`);
      if (request.method === 'HEAD') return void response.end();
      await sendPieces(response, exportContact(deps, contact, pipeline));
    },

    async eraseContact({ response, principal, id }) {
      const contact = await find(principal, id);
      const removeSession = async (sessionId: string) => {
        const removed = await sessions.remove(sessionId);
        endStreams(sessionId);
        return removed;
      };
      response.json(await eraseOnRequest({ store, contacts, removeSession, signIns }, principal, contact));
    },
  };
}
