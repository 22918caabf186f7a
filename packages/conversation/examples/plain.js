// A chat in a terminal: node plain.js https://chat.example.com pk_live_…
import { createInterface } from 'node:readline';
import { createConversation } from '@parley/conversation';

const [baseUrl, key] = process.argv.slice(2);
const conversation = createConversation({ baseUrl, key });

let told = 0;
conversation.transcript.subscribe(({ turns }) => {
  for (const { parts, status } of turns.slice(told)) {
    if (status === 'running') break;
    told += 1;
    for (const part of parts) if (part.kind === 'text') console.log(`Agent: ${part.text}`);
  }
});
conversation.failure.subscribe((failure) => failure && console.error(failure.message));

const input = createInterface({ input: process.stdin });
input.on('line', (line) => conversation.send(line));
input.on('close', () => conversation.dispose());
