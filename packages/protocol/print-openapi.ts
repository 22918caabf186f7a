import { writeFileSync } from 'node:fs';
import { openapiDocument } from './src/openapi.ts';
import { defaultPlatform } from './src/paths.ts';

const document = JSON.stringify(openapiDocument(defaultPlatform), null, 2);
writeFileSync(new URL('openapi.json', import.meta.url), `${document}\n`);
