/** What of the deployment kit can be tried on this machine: `pnpm deploy-check`. */
import { tryMail } from './deploy/mail/try-mail.ts';
import { runCaddy, runNginx } from './deploy/run-proxy.ts';
import { tryIdentity } from './deploy/try-identity.ts';
import { tryImage } from './deploy/try-image.ts';
import { tryProxy } from './deploy/try-proxy.ts';
import { tryUnit } from './deploy/try-unit.ts';

const checks: Readonly<Record<string, () => Promise<void>>> = {
  image: tryImage,
  nginx: () => tryProxy(runNginx),
  caddy: () => tryProxy(runCaddy),
  mail: tryMail,
  identity: tryIdentity,
  unit: async () => tryUnit(),
};

const [only] = process.argv.slice(2);
for (const [name, check] of Object.entries(checks)) {
  if (only !== undefined && only !== name) continue;
  console.log(`== ${name}`);
  await check();
}
