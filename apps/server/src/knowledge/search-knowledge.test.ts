import { expect, onTestFinished, test } from 'vitest';
import { seed } from '../store/contract/settings.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import { testFolder } from '../testing/test-service.ts';
import { indexDocument } from './index-document.ts';
import { KnowledgeSearch } from './search-knowledge.ts';

test.each([
  ['Write to us by e-mail', 'email'],
  ['Write to us by email', 'E-Mail'],
  ['Das WLAN ist frei', 'W-LAN Passwort'],
  ['Ihr Daten\u00ADschutz\u00ADbeauftragter', 'Datenschutzbeauftragter'],
  ['It costs 1,000 euros', 'is it 1000?'],
  ['Where our addresses are', 'what is your address'],
  ['All classes begin at nine', 'when does a class begin'],
  ['Die Preise gelten ab Mai', 'Preis'],
  ['A pet may stay with you', 'Are pets welcome?'],
  ['The API has limits', 'APIs'],
  ['Unsere Öffnungszeiten', 'Oeffnungszeiten'],
  ['Frau Mueller hilft Ihnen', 'Müller'],
  ['Lanterns are sold here', `${'may I ask you '.repeat(6)}where you sell lanterns`],
  ['Frau Mueller hilft Ihnen', 'bitte bitte bitte bitte Müller'],
])('what says %j is found by %j', async (text, query) => {
  const store = await openSqliteStore({ path: `${testFolder()}/knowledge.db` });
  onTestFinished(() => store.close());
  await seed(store);
  const document = { title: 'Page', address: null, language: null, version: null };
  for (const [place, said] of Object.entries({ there: text, other: 'Nothing of it stands in this one' }))
    await indexDocument(
      store.knowledge,
      { sourceId: 'source_1', agentId: 'agent_1', reading: 1 },
      { ...document, place, text: said },
    );
  const found = await new KnowledgeSearch(store.knowledge).find({ agentId: 'agent_1', query, limit: 1 });
  expect(found.map((passage) => passage.text)).toEqual([text]);
});
