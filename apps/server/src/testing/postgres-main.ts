import { startPostgresServer } from './postgres-server.ts';

// A PostgreSQL server for as long as the process that forked this one lives, or wants it.
const server = await startPostgresServer({ fsync: process.argv.includes('--fsync') });
process.once('disconnect', () => {
  void server.stop().then(() => process.exit(0));
});
// A terminal's interrupt is for the parent, which says when it is done.
process.on('SIGINT', () => undefined);
process.send?.({ url: server.url });
