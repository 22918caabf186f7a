// Loaded before a program of TypeScript, which an older Node cannot even read.
if (Number.parseInt(process.versions.node, 10) < 24) {
  console.error(
    `Node ${process.versions.node} is too old: Parley runs on 24 or newer. \`npx -y pnpm@12 install\` brings one along, and \`npx -y pnpm@12 serve\` and \`npx -y pnpm@12 start\` run on it.`,
  );
  process.exit(1);
}
