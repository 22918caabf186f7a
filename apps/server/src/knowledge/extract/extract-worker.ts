import { parentPort } from 'node:worker_threads';
import { accentOf } from './accent-of.ts';
import { documentText } from './document-text.ts';
import type { ExtractReply, ExtractRequest, ExtractTask, ExtractTasks } from './extracted.ts';
import { pageEmbeds } from './page-embeds.ts';
import { websiteFace } from './website-face.ts';

type Found = ExtractTasks[ExtractTask]['found'];

async function found(request: ExtractRequest): Promise<Found> {
  switch (request.task) {
    case 'text':
      return documentText(request.given);
    case 'face':
      return websiteFace(request.given);
    case 'embeds':
      return pageEmbeds(request.given);
    case 'accent':
      return accentOf(request.given);
  }
}

async function reply(request: ExtractRequest): Promise<ExtractReply> {
  const { id } = request;
  try {
    return { id, found: await found(request) };
  } catch (error) {
    const tooDeep = error instanceof RangeError;
    return {
      id,
      problem: tooDeep ? 'It is nested too deeply to be read.' : 'It could not be read: it is damaged.',
    };
  }
}

parentPort?.on('message', (request: ExtractRequest) => {
  void reply(request).then((answer) => parentPort?.postMessage(answer));
});
