// Whoever started this process and was killed stops it no more.
process.once('disconnect', () => process.exit());
