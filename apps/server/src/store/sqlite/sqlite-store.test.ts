import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { describeStore } from '../contract.ts';
import { openSqliteStore } from './sqlite-store.ts';

const folder = mkdtempSync(join(tmpdir(), 'parley-store-'));
let files = 0;
const path = () => join(folder, `${files++}.db`);
afterAll(() => rmSync(folder, { recursive: true }));

describeStore('sqlite', () => openSqliteStore({ path: path() }));
