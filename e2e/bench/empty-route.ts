import { once } from 'node:events';
import express from 'express';

// The floor: what Express and Node take for a JSON POST that does nothing.
const app = express();
app.disable('x-powered-by');
app.post('/', express.json(), (_request, response) => {
  response.json({ ok: true });
});
const server = app.listen(0, '127.0.0.1');
await once(server, 'listening');
const address = server.address();
if (typeof address === 'string' || address === null) throw new Error('No port was given.');
process.send?.({ url: `http://127.0.0.1:${address.port}` });
// Whoever started this process and was killed stops it no more.
process.once('disconnect', () => process.exit());
