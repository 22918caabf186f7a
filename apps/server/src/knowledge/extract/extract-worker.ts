import { parentPort } from 'node:worker_threads';
import { accentOf } from './accent-of.ts';
import { documentText } from './document-text.ts';
import type { ExtractReply, ExtractRequest, ExtractTask, ExtractTasks } from './extracted.ts';
import { tooMuchMemory } from './too-much-memory.ts';
import { DocumentProblem } from './document-problem.ts';
import { fileText } from './file-text.ts';
import { pageEmbeds } from './page-embeds.ts';
import { websiteFace } from './website-face.ts';

type Found = ExtractTasks[ExtractTask]['found'];

async function found(request: ExtractRequest): Promise<Found> {
  switch (request.task) {
    case 'text':
      return documentText(request.given);
    case 'file':
      return fileText(request.given);
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
    return { id, problem: problemOf(error) };
  }
}

function problemOf(error: unknown): string {
  if (error instanceof DocumentProblem) return error.message;
  if (!(error instanceof RangeError)) return 'It could not be read: it is damaged.';
  return /allocation|array length/i.test(error.message)
    ? tooMuchMemory
    : 'It is nested too deeply to be read.';
}

parentPort?.on('message', (request: ExtractRequest) => {
  void reply(request).then((answer) => parentPort?.postMessage(answer));
});
